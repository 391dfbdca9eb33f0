import { isDomainError } from "#lib/domain/errors.ts";

/**
 * Next prints the stack of every failed page. While the database is unavailable, that is every page, and the outage is
 * logged separately (`lib/watch-outages.ts`).
 */
export function quietOutages(target: Pick<Console, "error"> = console): void {
  const print = target.error.bind(target);
  target.error = (...parts) => {
    if (!parts.some((part) => isDomainError(part) && part.code === "unavailable")) print(...parts);
  };
}
