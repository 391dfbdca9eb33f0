/** Parsers of option values; an invalid value is wrong usage. */
import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import { InvalidArgumentError } from "commander";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { everydayScopes, parseScopes, type Scope, scopes } from "#lib/domain/scopes.ts";
import { toDay } from "#lib/domain/times.ts";
import { type SecretOption, UsageError } from "./error.ts";

const dateOrTimestamp = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}Z)?$/;

export function readInteger(text: string): number {
  const value = parsePositiveInteger(text);
  if (value === null) throw new InvalidArgumentError("It must be a whole number of at least 1.");
  return value;
}

/** An id of any kind. */
export function readId<Id extends number>(text: string): Id {
  return readInteger(text) as Id;
}

export function readHours(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError("It must be a whole number of hours, 0 or more.");
  return Number(text);
}

export function readList(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== "");
}

export function readDays(text: string): number[] {
  return readList(text).map(readInteger);
}

export function readScopes(text: string): Scope[] {
  if (text.trim() === "all") return [...everydayScopes];
  const read = parseScopes(readList(text));
  if (read === null) throw new InvalidArgumentError(`It must be "all" or a list of ${scopes.join(",")}.`);
  return read;
}

/** A UTC day means its first instant. */
export function readInstant(text: string): Date {
  const instant = dateOrTimestamp.test(text) ? new Date(text) : null;
  // JavaScript parses 31 February as 3 March.
  if (!instant || Number.isNaN(instant.getTime()) || toDay(instant) !== text.slice(0, "2027-01-31".length)) {
    throw new InvalidArgumentError("It must be a day such as 2027-01-31 or an instant such as 2027-01-31T12:00:00Z.");
  }
  return instant;
}

/**
 * The secret in the file of an option, or for `-` in standard input, without its last line break. Other users of the
 * machine see arguments.
 */
export async function readSecret(option: SecretOption, file: string): Promise<string>;
export async function readSecret(option: SecretOption, file: string | undefined): Promise<string | undefined>;
export async function readSecret(option: SecretOption, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const secret = await (file === "-" ? readAll(process.stdin) : readFile(file, "utf8")).catch(() => {
    throw new UsageError(`--${option} cannot be read.`);
  });
  return secret.replace(/\r?\n$/, "");
}
