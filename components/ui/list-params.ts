/** What the URL of a list can hold. A value that makes no sense counts as absent: a URL typed by hand never fails. */
import { createLoader, createParser, createSerializer, parseAsStringLiteral } from "nuqs/server";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { hasNul } from "#lib/domain/text.ts";
import { spans } from "./time-span.ts";

const MAX_LENGTH = 200;

/** Text without white space around it; null if it is empty, has a NUL, or is not accepted. */
export function parseAsText(accepts: (text: string) => boolean = () => true) {
  return createParser<string>({
    parse(query) {
      const text = query.trim().slice(0, MAX_LENGTH);
      return text !== "" && !hasNul(text) && accepts(text) ? text : null;
    },
    serialize: (text) => text,
  });
}

export const parseAsId = createParser<number>({ parse: parsePositiveInteger, serialize: String });

const longId = /^[1-9]\d{0,17}$/;
/** A `bigint` id, as text. */
export const parseAsLongId = parseAsText((text) => longId.test(text));

const place = /^(\d{1,13})-([1-9]\d{0,17})$/;
/** Where a log goes on: a time and the `bigint` id of a row. */
export const parseAsPlace = createParser<{ readonly at: Date; readonly id: string }>({
  parse(text) {
    const [, ms, id] = place.exec(text) ?? [];
    return ms === undefined || id === undefined ? null : { at: new Date(Number(ms)), id };
  },
  serialize: ({ at, id }) => `${at.getTime()}-${id}`,
});

/** Days that do not exist are none: 31 February would be 3 March. */
function isTime(text: string): boolean {
  const at = new Date(text);
  const year = at.getUTCFullYear();
  return year >= 1 && year <= 9999 && at.toISOString().startsWith(text.slice(0, "2027-01-31".length));
}

/** See `TimeRange`. */
export const timeParams = {
  span: parseAsStringLiteral(spans),
  from: parseAsText(isTime),
  until: parseAsText(isTime),
};

/** Of lists that are only searched. */
export const searchParams = { q: parseAsText(), before: parseAsId };
export const loadSearch = createLoader(searchParams);
export const searchHref = createSerializer(searchParams);

type Given<Values> = { [Name in keyof Values]?: NonNullable<Values[Name]> };

/** Leaves out what is null. */
export function given<Values extends object>(values: Values): Given<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null)) as Given<Values>;
}

/** Whether anything but the order and the page is chosen. */
export function isFiltered(view: object): boolean {
  const { before: _, after: _after, sort: _sort, ...filters } = view as Record<string, unknown>;
  return Object.values(filters).some((value) => value != null);
}

/** Of the link that ends them. */
export function clearLabelOf(view: object): string {
  return isFiltered({ ...view, q: null }) ? "Clear filters" : "Clear search";
}

/** The links of a list that only leads onward. `at`: where its page begins; null on the first page. */
export function onward<Place>(href: (place: Place | null) => string, at: Place | null, next: Place | null) {
  return { firstHref: at === null ? null : href(null), nextHref: next === null ? null : href(next) };
}
