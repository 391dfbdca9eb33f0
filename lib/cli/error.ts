import { CommanderError } from "commander";
import { isDomainError } from "#lib/domain/errors.ts";

/** What the operator can put right: shown as it is, without a stack trace. */
export class CommandLineError extends Error {
  override readonly name = "CommandLineError";
}

/** The command line makes no sense as a whole, although each option can be read. */
export class UsageError extends CommandLineError {}

const FAILED = 1;
const USED_WRONGLY = 2;

/** A refusal as text for stderr: its message, or every wrong option with what is wrong with it. */
export function describeFailure(error: unknown): string {
  if (isDomainError(error) && error.problems.length > 0) {
    return error.problems.map(({ field, message }) => `--${field.replaceAll("_", "-")} ${message}.`).join("\n");
  }
  if (!(error instanceof Error)) return String(error);
  // A failed connection to several addresses says all in its parts and nothing itself.
  const parts = error instanceof AggregateError ? error.errors.map(describeFailure) : [];
  const message = error.message || [...new Set(parts)].join("\n") || error.name;
  return process.env.LOG_LEVEL === "debug" && error.stack ? `${message}\n${error.stack}` : message;
}

/** 2 for a command line that makes no sense, 1 for everything else that failed. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return USED_WRONGLY;
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USED_WRONGLY;
  return FAILED;
}
