import { once } from "node:events";
import { toTimestamp } from "#lib/domain/times.ts";

/** Exit code that a shell reports after SIGPIPE: 128 + 13. */
const CLOSED_PIPE_EXIT_CODE = 141;

/** True for a write to a pipe without a reader, as in `… | head -1`. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === "EPIPE";
}

/** Ends the command with the usual exit code and no stack trace once the reader of its output is gone. */
export function handleClosedPipes(): void {
  process.stdout.on("error", (error) => {
    if (!isClosedPipe(error)) throw error;
    process.exitCode = CLOSED_PIPE_EXIT_CODE;
  });
  process.stderr.on("error", (error) => {
    if (!isClosedPipe(error)) throw error;
  });
}

/** Writes to stdout and waits for a slow reader. @throws if the reader is gone: `isClosedPipe` */
export async function print(text: string): Promise<void> {
  if (process.stdout.errored) throw process.stdout.errored;
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

/** Prints one JSON value on stdout; everything else goes to stderr. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

export function timestampOrNull(date: Date | null): string | null {
  return date && toTimestamp(date);
}
