import { DomainError } from "#lib/domain/errors.ts";
import type { RawParameters } from "./endpoint.ts";
import { quote } from "./quote.ts";

/** Selector → what its value looks like. */
export type Selectors<Name extends string = string> = Readonly<Partial<Record<Name, string>>>;

/**
 * An integrator's typing error must not choose something else: unless the query is empty, it names a selector, every
 * name in it is known, and every value is given (contract 2.1, 2.5).
 * @throws DomainError `parameters_invalid` whose details name the selectors.
 */
export function requireSelector(query: RawParameters, known: readonly string[], selectors: Selectors): void {
  const given = Object.keys(query);
  if (given.length === 0) return;
  const names = Object.keys(selectors);
  const unknown = given.find((name) => !known.includes(name));
  const empty = given.find((name) => query[name] === "");
  const choice = `Choose by ${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
  if (unknown !== undefined) throw refusal(`${quote(unknown)} is no parameter here. ${choice}.`, selectors);
  if (empty !== undefined) throw refusal(`${empty} is empty. ${choice}.`, selectors);
  if (!given.some((name) => names.includes(name))) throw refusal(`${choice}.`, selectors);
}

function refusal(message: string, selectors: Selectors): DomainError {
  const details = Object.fromEntries(Object.entries(selectors).map(([name, form]) => [name, `chooses by ${form}`]));
  return new DomainError("parameters_invalid", message, { details });
}
