import { hasNul } from "#lib/domain/text.ts";

/** What Next gives a page of the address's query. */
export type SearchParams = Promise<Readonly<Record<string, string | string[] | undefined>>>;

/** One parameter's text; given twice, the first counts; empty, or with a NUL in it, counts as absent. */
export function textOf(value: string | string[] | undefined): string | null {
  const text = Array.isArray(value) ? value[0] : value;
  return text === undefined || text === "" || hasNul(text) ? null : text;
}

/** `/licenses?status=active`, without what is null. */
export function hrefOf(pathname: string, parameters: Readonly<Record<string, string | number | null>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string | number] => entry[1] !== null);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === "" ? pathname : `${pathname}?${query}`;
}
