import type { Printer } from "./cli-output.ts";
import type { LicenseDesk } from "./index.ts";

export const EXIT = { done: 0, rejected: 1, usage: 2, noAnswer: 3, pending: 4 } as const;

/** What a command line works with. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly errors: NodeJS.WritableStream;
  /** Whether a person can answer questions. */
  readonly isTerminal: boolean;
  /** Calls the listener at an interruption, such as Ctrl+C, in place of ending the program. Returns how to end it again. */
  readonly onInterrupt?: (listener: () => void) => () => void;
  /** Ends `events tail`. */
  readonly signal?: AbortSignal;
}

export type Options = Readonly<
  Record<
    string,
    {
      readonly type: "string" | "boolean";
      readonly short?: string;
      /** Placeholder of the value. */
      readonly value?: string;
      readonly help: string;
      readonly required?: true;
    }
  >
>;

export interface Context {
  readonly desk: LicenseDesk;
  readonly values: Readonly<Record<string, unknown>>;
  readonly operands: readonly string[];
  readonly print: Printer;
  readonly io: Io;
}

export interface Command {
  readonly summary: string;
  readonly operands: readonly string[];
  readonly options: Options;
  /** Returns the exit code. */
  run(context: Context): Promise<number>;
}

/** The command line is wrong. */
export class UsageError extends Error {}

export function textOf({ values }: Context, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** `12`, and `lic_12` as events show it. */
export function numberOf(text: string, name: string): number {
  const [, digits] = /^(?:lic_)?(\d+)$/.exec(text) ?? [];
  if (digits === undefined) throw new UsageError(`${name} is not a number: ${text}`);
  return Number(digits);
}

export function numberOption(context: Context, name: string): number | undefined {
  const text = textOf(context, name);
  return text === undefined ? undefined : numberOf(text, `--${name}`);
}
