import { isDomainError } from "#lib/domain/errors.ts";

/**
 * Next prints a stack for every failed page, and for every call of an action that this build does not have. While the
 * database is unavailable, the first is every page, and the outage is logged separately (`lib/watch-outages.ts`). The
 * second follows every update, and anyone can send it. Nor is a response a fault that was cut off for its reader.
 */
export function quietNext(target: Pick<Console, "error" | "warn"> = console): void {
  for (const level of ["error", "warn"] as const) {
    const print = target[level].bind(target);
    target[level] = (...parts) => {
      if (!parts.some(isExpected)) print(...parts);
    };
  }
}

function isExpected(part: unknown): boolean {
  if (isDomainError(part)) return part.code === "unavailable";
  if (!(part instanceof Error)) return false;
  // Next has its own copy of the class.
  if (part.name === "AccessEndedError" || part.message.startsWith("Failed to find Server Action")) return true;
  return isExpected(part.cause);
}
