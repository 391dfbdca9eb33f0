import { isStorable, isWithinLength } from "./text.ts";

export const CUSTOMER_NAME_MAX_LENGTH = 120;
export const CUSTOMER_EMAIL_MAX_LENGTH = 254;
export const CUSTOMER_REFERENCE_MAX_LENGTH = 100;
export const TAG_MAX_LENGTH = 40;
export const MAX_TAGS = 10;

/** The reseller's own customer of a license, as far as it is known: empty fields are not. */
export interface Customer {
  readonly customerName: string;
  readonly customerEmail: string;
  /** The reseller's own reference for it. */
  readonly customerReference: string;
}

/** What a reseller writes on its licenses to find them by (decision 71). */
export interface Labels extends Customer {
  /** In lower case, sorted, each once. */
  readonly tags: readonly string[];
}

export const CUSTOMER_FIELD_RULES = {
  customerName: `must be text of at most ${CUSTOMER_NAME_MAX_LENGTH} characters`,
  customerEmail: "must be an email address such as billing@example.com",
  customerReference: `must be text of at most ${CUSTOMER_REFERENCE_MAX_LENGTH} characters`,
} as const satisfies Record<keyof Customer, string>;

/** One line, composed, without white space around it; null if it cannot be stored or is too long. */
function parseLine(text: string, maxLength: number): string | null {
  const line = text.normalize("NFC").replace(/\s+/g, " ").trim();
  return isStorable(line) && !/\p{Cc}/u.test(line) && isWithinLength(line, maxLength) ? line : null;
}

/** Empty text is valid: the field is not known. Null: invalid. */
export const parseCustomerField = {
  customerName: (text) => parseLine(text, CUSTOMER_NAME_MAX_LENGTH),
  customerEmail(text) {
    const line = parseLine(text, CUSTOMER_EMAIL_MAX_LENGTH);
    return line === null || line === "" || /^[^\s@]+@[^\s@]+$/.test(line) ? line : null;
  },
  customerReference: (text) => parseLine(text, CUSTOMER_REFERENCE_MAX_LENGTH),
} as const satisfies Record<keyof Customer, (text: string) => string | null>;

/** What a customer is called: the first field that is known; empty if none is. */
export function nameCustomer({ customerName, customerEmail, customerReference }: Customer): string {
  return customerName || customerEmail || customerReference;
}

export const TAGS_RULE = `must be at most ${MAX_TAGS} tags of up to ${TAG_MAX_LENGTH} characters, separated by commas`;
/** Commas separate tags everywhere; spreadsheets of some countries separate by semicolons. */
const TAG_SEPARATOR = /[,;\n]/;

/** Tags from text or a list, normalized; null if one is invalid or there are too many. */
export function parseTags(written: string | readonly string[]): readonly string[] | null {
  const parts = typeof written === "string" ? normalizeCase(written).split(TAG_SEPARATOR) : written;
  const tags = new Set<string>();
  for (const part of parts) {
    const tag = parseTag(part);
    if (tag === null) return null;
    if (tag !== "") tags.add(tag);
    if (tags.size > MAX_TAGS) return null;
  }
  return sortTags(tags);
}

/** In lower case; empty for white space, null if invalid. */
export function parseTag(text: string): string | null {
  const tag = normalizeCase(text).trim();
  return TAG_SEPARATOR.test(tag) ? null : parseLine(tag, TAG_MAX_LENGTH);
}

/** Before separators are looked for: the Greek question mark becomes a semicolon. */
const normalizeCase = (text: string) => text.toLowerCase().normalize("NFC");

function sortTags(tags: Iterable<string>): readonly string[] {
  return [...new Set(tags)].sort();
}

export const formatTags = (tags: readonly string[]) => tags.join(", ");

/** A change of labels; what is absent stays. */
export interface LabelChange extends Partial<Labels> {
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
}

/** The labels after a change. There may be too many tags. */
export function changeLabels(labels: Labels, { addTags = [], removeTags = [], ...set }: LabelChange): Labels {
  const tags = [...(set.tags ?? labels.tags), ...addTags].filter((tag) => !removeTags.includes(tag));
  return {
    customerName: set.customerName ?? labels.customerName,
    customerEmail: set.customerEmail ?? labels.customerEmail,
    customerReference: set.customerReference ?? labels.customerReference,
    tags: sortTags(tags),
  };
}
