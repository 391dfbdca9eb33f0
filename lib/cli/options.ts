/** Parsers of option values; an invalid value is wrong usage. */
import { readFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { everydayScopes, parseScopes, type Scope, scopes } from "#lib/domain/scopes.ts";
import { toDay } from "#lib/domain/times.ts";

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

/** What a file holds that only its owner may read, without its last line break. Other users of the machine see arguments. */
export function readSecretFile(file: string): string {
  try {
    return readFileSync(file === "-" ? process.stdin.fd : file, "utf8").replace(/\r?\n$/, "");
  } catch {
    throw new InvalidArgumentError("It cannot be read.");
  }
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
