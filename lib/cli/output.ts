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

/** Control characters but tabs and line ends, and those that turn text around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about.
const terminalCommands = /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** What resellers typed must not command the operator's terminal. Files and programs get it as it is. */
function forReader(text: string): string {
  return process.stdout.isTTY ? text.replaceAll(terminalCommands, "\ufffd") : text;
}

/** Writes to stdout and waits for a slow reader. @throws if the reader is gone: `isClosedPipe` */
export async function print(text: string): Promise<void> {
  if (process.stdout.errored) throw process.stdout.errored;
  if (!process.stdout.write(forReader(text))) await once(process.stdout, "drain");
}

/** Prints one JSON value on stdout; everything else goes to stderr. */
export function printJson(value: unknown): void {
  process.stdout.write(forReader(`${JSON.stringify(value, null, 2)}\n`));
}

export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

export function timestampOrNull(date: Date | null): string | null {
  return date && toTimestamp(date);
}
