/** What docs/contract says of each operation, for the OpenAPI document. */
import { codesIn, readSections, rowsOf, type Section } from "#tests/support/contract-documents.ts";

export interface DocumentedError {
  readonly status: number;
  readonly code: string;
  readonly cause: string;
  readonly remedy: string;
}

export interface OperationWords {
  readonly group: string;
  readonly summary: string;
  readonly description: string;
  /** Parameter → its meaning. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Field of the response, such as `licenses[].id`, → its meaning. */
  readonly fields: ReadonlyMap<string, string>;
  /** The same of the response to a dry run. */
  readonly dryRunFields: ReadonlyMap<string, string>;
  readonly errors: readonly DocumentedError[];
  /** The example of the response. */
  readonly example: unknown;
}

export interface ContractPage {
  readonly groups: readonly string[];
  readonly errors: readonly DocumentedError[];
  /** Of the transport and the API key: every operation can return them. */
  readonly errorsOfEvery: readonly DocumentedError[];
  /** Of the idempotency key. */
  readonly errorsOfKey: readonly DocumentedError[];
  operation(title: string): OperationWords;
}

const ofEvery = new Set([401, 403, 405, 408, 413, 415, 417, 429, 431, 500, 503]);
/** An unreadable body or header. */
const unreadable = new Set(["INVALID_REQUEST", "INVALID_PARAMETER"]);

function toErrors(section: Section): DocumentedError[] {
  return rowsOf(section, "Status").map(({ Status, Code = "", Cause = "", "What to do": remedy = "" }) => ({
    status: Number(Status),
    code: codesIn(Code)[0] ?? "",
    cause: withoutLinks(Cause),
    remedy: withoutLinks(remedy),
  }));
}

/** Links of the documents lead nowhere from elsewhere. */
function withoutLinks(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1");
}

function parameterMeanings(section: Section): Map<string, string> {
  return new Map(
    rowsOf(section, "Parameter").map(({ Parameter, Meaning = "" }) => [
      codesIn(Parameter)[0] ?? "",
      withoutLinks(Meaning),
    ]),
  );
}

/** Includes the fields of a section that a cell is "As in". */
function fieldMeanings(section: Section, sections: readonly Section[]): Map<string, string> {
  const meanings = new Map<string, string>();
  for (const { Field, Meaning = "" } of rowsOf(section, "Field")) {
    const name = codesIn(Field)[0] ?? "";
    const [, other] = /^As in \[([^\]]+)\]\(#/.exec(Meaning) ?? [];
    const shared = sections.find(({ title }) => title === other);
    if (!shared) meanings.set(name, withoutLinks(Meaning));
    else for (const [key, words] of fieldMeanings(shared, sections)) meanings.set(name ? `${name}.${key}` : key, words);
  }
  return meanings;
}

/** The paragraphs between the heading and the first table, example or list of scopes. */
function introduction({ text }: Section): string {
  const [, ...paragraphs] = text.split("\n\n");
  const end = paragraphs.findIndex((paragraph) => /^(?:\||```|Scope:)/.test(paragraph.trim()));
  return withoutLinks(
    paragraphs
      .slice(0, end)
      .join("\n\n")
      .replace(/^`(?:GET|POST)`\. /, "")
      .trim(),
  );
}

export function readContractPage(page: "path-interface" | "dispatch-interface"): ContractPage {
  const sections = readSections(page);
  const groups = new Map<string, string>();
  let group = "";
  for (const { level, title } of sections) {
    if (level === 2) group = title;
    if (level === 3) groups.set(title, group);
  }
  /** Of a section with fields that several operations return. */
  const fieldsOfMany = (title: string) =>
    sections.filter((one) => one.title === title).flatMap((section) => [...fieldMeanings(section, sections)]);
  const errors = toErrors(sections.find(({ title }) => title === "Errors") ?? fail(page, "Errors"));
  return {
    groups: [...new Set(groups.values())],
    errors,
    errorsOfEvery: errors.filter(({ status, code }) => ofEvery.has(status) || (status === 400 && unreadable.has(code))),
    errorsOfKey: errors.filter(({ code }) => code.startsWith("IDEMPOTENCY_")),
    operation(title) {
      const section = sections.find((one) => one.title === title) ?? fail(page, title);
      const description = introduction(section);
      const scope = /^Scope: (.+)$/m.exec(section.text)?.[1] ?? "";
      return {
        group: groups.get(title) ?? "",
        summary: (/^[^.]+/.exec(description)?.[0] ?? title).trim(),
        description: `${description}\n\nScope: ${withoutLinks(scope)}`,
        parameters: parameterMeanings(section),
        fields: new Map([...fieldsOfMany("Pending outcome"), ...fieldMeanings(section, sections)]),
        dryRunFields: new Map(fieldsOfMany("Dry run")),
        errors: toErrors(section),
        example: JSON.parse(/^```json\n(.*?)^```$/ms.exec(section.text)?.[1] ?? "null"),
      };
    },
  };
}

/** Kind of event → when it is emitted. */
export function readEvents(): Map<string, string> {
  const section =
    readSections("events").find(({ title }) => title === "Kinds of events") ?? fail("events", "Kinds of events");
  const words = new Map<string, string>();
  for (const { Event = "", When = "" } of rowsOf(section, "Event")) {
    const kind = codesIn(Event)[0] ?? "";
    words.set(kind, [words.get(kind), withoutLinks(When)].filter(Boolean).join(" "));
  }
  return words;
}

function fail(page: string, title: string): never {
  throw new Error(`docs/contract/${page}.md has no section ${title}.`);
}
