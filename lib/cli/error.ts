import { CommanderError } from "commander";
import { isDomainError } from "#lib/domain/errors.ts";
import { problemSentence } from "#lib/domain/text.ts";

/** An error that the operator can fix, shown without a stack trace. */
export class CommandLineError extends Error {
  override readonly name = "CommandLineError";
}

/** Invalid as a whole, although each option is valid. */
export class UsageError extends CommandLineError {}

const FAILURE_EXIT_CODE = 1;
const USAGE_EXIT_CODE = 2;

/** Options that name the file of a secret, by the secret's field. */
const secretOptions = {
  password: "password-file",
  api_key: "api-key-file",
  signing_secret: "signing-secret-file",
} as const;
export type SecretOption = (typeof secretOptions)[keyof typeof secretOptions];

/** The option that gave the field its value. */
function optionOf(field: string): string {
  return (secretOptions as Readonly<Record<string, string>>)[field] ?? field.replaceAll("_", "-");
}

/** An error as text for stderr: its message, or every invalid option with its problem. */
export function describeFailure(error: unknown): string {
  if (isDomainError(error) && error.problems.length > 0) {
    return error.problems.map(({ field, message }) => problemSentence(`--${optionOf(field)}`, message)).join("\n");
  }
  // The message addresses the reseller, for whom the operator acts.
  if (isDomainError(error) && error.code === "license_not_found") return "The reseller has no such license.";
  if (!(error instanceof Error)) return String(error);
  // An AggregateError of several addresses has its messages only in its parts.
  const parts = error instanceof AggregateError ? error.errors.map(describeFailure) : [];
  const message = error.message || [...new Set(parts)].join("\n") || error.name;
  return process.env.LOG_LEVEL === "debug" && error.stack ? `${message}\n${error.stack}` : message;
}

/** 2 for wrong usage, 1 for any other failure. */
export function toExitCode(error: unknown): number {
  if (error instanceof UsageError) return USAGE_EXIT_CODE;
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_EXIT_CODE;
  return FAILURE_EXIT_CODE;
}
