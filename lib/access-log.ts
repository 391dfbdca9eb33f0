import { destination, pino } from "pino";
import type { AnsweredCall } from "#lib/domain/observation.ts";

export interface AccessLog {
  write(call: AnsweredCall): void;
  /** Lines that were dropped because nobody reads the log. */
  droppedCount(): number;
  /** Writes what is left. */
  close(): void;
}

export interface AccessLogOptions {
  /** Whether every request is logged. */
  readonly all: boolean;
  readonly silent?: boolean;
  readonly output?: string | number;
}

const FLUSH_EVERY_MS = 500;
/** A write of this size to a pipe is never mixed with others, such as those of the server's log. */
const WRITE_BYTES = 4_096;
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;
const STDOUT = 1;

/** Codes of requests without a valid key. No key's request log has them. */
const unidentified: ReadonlySet<string> = new Set(["api_key_missing", "api_key_invalid"]);

/**
 * Logs answered requests, by default only those without a valid key. Lines are collected and written asynchronously; if
 * nobody reads them, they are dropped instead of delaying requests.
 * @param output a path or file descriptor; by default standard output
 */
export function createAccessLog({ all, silent = false, output = STDOUT }: AccessLogOptions): AccessLog {
  let dropped = 0;
  let closing = false;
  const lines = destination({
    dest: output,
    sync: false,
    minLength: WRITE_BYTES / 2,
    maxWrite: WRITE_BYTES,
    maxLength: MAX_BUFFERED_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
    // Nobody who does not read delays the end of the process.
    retryEAGAIN: () => !closing,
  });
  for (const lost of ["drop", "error"]) {
    lines.on(lost, () => {
      dropped += 1;
    });
  }
  const log = pino({ base: null, level: silent ? "silent" : "info" }, lines);
  return {
    write(call) {
      if (all || unidentified.has(call.code)) log.info(fieldsOf(call), "request");
    },
    droppedCount: () => dropped,
    close() {
      closing = true;
      try {
        lines.flushSync();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      }
      // Leaves standard output open.
      lines.destroy();
    },
  };
}

/** Exactly these fields, whatever else the object has. */
function fieldsOf(call: AnsweredCall): AnsweredCall {
  const { requestId, key, resellerId, source, operation, code, status, durationMs } = call;
  const rounded = Math.round(durationMs * 1_000) / 1_000;
  return {
    requestId,
    key,
    resellerId,
    source,
    interface: call.interface,
    operation,
    code,
    status,
    durationMs: rounded,
  };
}
