/** Log file of the server. Every start appends, so the reason of a crash survives a restart. */
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

/** Limit of each file: the log, and `.1` with older lines. */
export const MAX_LOG_BYTES = 1024 * 1024;
const TAIL_LINES = 15;
const OWNER_ONLY = 0o600;

export interface PostgresLog {
  /** Opened for appending. */
  readonly descriptor: number;
  /** The last lines since this start, for error messages. */
  tail(): string;
  /** Moves the lines to `.1` while the server runs; it appends, so it continues in the emptied file. */
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
