import { toTimestamp } from "#lib/domain/times.ts";

/** A command says one JSON value on stdout, and all else on stderr. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

export function timestampOrNull(date: Date | null): string | null {
  return date && toTimestamp(date);
}
