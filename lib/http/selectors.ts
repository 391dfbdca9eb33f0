import { DomainError } from "#lib/domain/errors.ts";
import type { RawParameters } from "./endpoint.ts";
import { quote } from "./quote.ts";

/** Selector → example of its value. */
export type Selectors<Name extends string = string> = Readonly<Partial<Record<Name, string>>>;

/**
 * A typo must not select something else: unless the query is empty, it has a selector, all its names are known, and
 * every value is set (contract 2.1, 2.5).
 * @throws DomainError `parameters_invalid` whose details name the selectors
 */
export function requireSelector(query: RawParameters, known: readonly string[], selectors: Selectors): void {
  const given = Object.keys(query);
  if (given.length === 0) return;
  const names = Object.keys(selectors);
  const unknown = given.find((name) => !known.includes(name));
  const empty = given.find((name) => query[name] === "");
  const choice = `Choose by ${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
  if (unknown !== undefined) throw rejection(`${quote(unknown)} is not a parameter here. ${choice}.`, selectors);
  if (empty !== undefined) throw rejection(`${empty} is empty. ${choice}.`, selectors);
  if (!given.some((name) => names.includes(name))) throw rejection(`${choice}.`, selectors);
}

function rejection(message: string, selectors: Selectors): DomainError {
  const details = Object.fromEntries(Object.entries(selectors).map(([name, form]) => [name, `selects by ${form}`]));
  return new DomainError("parameters_invalid", message, { details });
}
