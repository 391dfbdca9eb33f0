/** The server's log file: appended by every start, so that the reason of a crash outlives the restart. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
} from "node:fs";

/** Of each of the two files: the log, and `.1` with what came before it. */
export const MAX_LOG_BYTES = 1024 * 1024;
const TAIL_LINES = 15;
const OWNER_ONLY = 0o600;

export interface PostgresLog {
  /** Open for appending. */
  readonly descriptor: number;
  /** The last lines since this start, for an error message. */
  tail(): string;
  /** Moves the lines to `.1` under the running server, which appends and so begins at the start of the emptied file. */
  rotateIfLong(): void;
  close(): void;
}

export function openPostgresLog(file: string): PostgresLog {
  let descriptor = openSync(file, "a", OWNER_ONLY);
  if (fstatSync(descriptor).size > MAX_LOG_BYTES) {
    closeSync(descriptor);
    renameSync(file, `${file}.1`);
    descriptor = openSync(file, "a", OWNER_ONLY);
  }
  let start = fstatSync(descriptor).size;
  return {
    descriptor,
    tail() {
      const lines = existsSync(file) ? readFileSync(file).subarray(start).toString("utf8").trimEnd().split("\n") : [];
      return lines.slice(-TAIL_LINES).join("\n");
    },
    rotateIfLong() {
      if (fstatSync(descriptor).size <= MAX_LOG_BYTES) return;
      copyFileSync(file, `${file}.1`);
      truncateSync(file, 0);
      start = 0;
    },
    close: () => closeSync(descriptor),
  };
}
