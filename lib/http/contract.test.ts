/** Compares the interface documents with the route tables, schemas and error tables. */

import { describe, expect, test } from "vitest";
import { simulations } from "#lib/adapters/provider-sandbox.ts";
import { DomainError, domainErrorCodes, invalidParameters, type ParameterProblem } from "#lib/domain/errors.ts";
import { CHALLENGE_KIND, eventKinds } from "#lib/domain/events.ts";
import type { Currency } from "#lib/domain/money.ts";
import { retryDelaysMs } from "#lib/domain/retry.ts";
import { scopes } from "#lib/domain/scopes.ts";
import {
  blocksOf,
  codesIn,
  listPages,
  type Page,
  readSections,
  rowsOf,
  type Section,
} from "#tests/support/contract-documents.ts";
import { dispatchInterface, operations } from "./dispatch-api/interface.ts";
import type { ApiInterface, Endpoint } from "./endpoint.ts";
import { pathInterface, pathTargets } from "./path-api/interface.ts";

interface Documented {
  readonly api: ApiInterface;
  readonly page: Page;
  /** Heading → endpoint. */
  readonly endpoints: ReadonlyMap<string, Endpoint>;
}

const documented: readonly Documented[] = [
  {
    api: pathInterface,
    page: "path-interface",
    endpoints: new Map(
      Object.entries(pathTargets).flatMap(([path, byMethod]) =>
        Object.entries(byMethod).map(([method, endpoint]) => [`${method} ${path}`, endpoint] as const),
      ),
    ),
  },
  {
    api: dispatchInterface,
    page: "dispatch-interface",
    endpoints: new Map(operations.map((endpoint) => [endpoint.name, endpoint])),
  },
];

const kinds = ["missing", "unreadable", "wrong_type", "malformed", "out_of_range"] as const;

/** Every status and code of an interface, as `400 INVALID_REQUEST`. */
function repliesOf({ api, endpoints }: Documented): string[] {
  const fields = new Set([...endpoints.values()].flatMap((endpoint) => fieldsOf(endpoint).map(([name]) => name)));
  const problems: ParameterProblem[] = [...fields].flatMap((field) =>
    kinds.map((kind) => ({ field, kind, message: "is wrong" })),
  );
  const errors = [
    ...domainErrorCodes.map((code) => new DomainError(code, "RejectedRequest.")),
    ...problems.map((problem) => invalidParameters([problem])),
  ];
  const replies = errors.map((error) => {
    const { status, body } = api.presentError(error);
    return `${status} ${(body as { readonly code: string }).code}`;
  });
  return [...new Set(replies)].toSorted();
}

function fieldsOf(endpoint: Endpoint) {
  return Object.entries(endpoint.schemaFor("USD" as Currency).shape);
}

function errorsOf(section: Section): string[] {
  return rowsOf(section, "Status").map(({ Status, Code }) => `${Status} ${codesIn(Code)[0]}`);
}

function errorSection(page: Page): Section {
  return readSections(page).find(({ title }) => title === "Errors") ?? expect.unreachable(`${page}: Errors`);
}

describe.each(documented)("docs/contract: $page", (document) => {
  const { page, endpoints } = document;
  const sections = new Map(
    readSections(page)
      .filter(({ level }) => level === 3)
      .map((section) => [section.title, section]),
  );
  const both = [...endpoints].map(([title, endpoint]) => ({
    title,
    endpoint,
    section: sections.get(title) as Section,
  }));

  test("describes exactly the existing operations", () => {
    expect([...sections.keys()].toSorted()).toEqual([...endpoints.keys()].toSorted());
  });

  test("lists exactly the statuses and codes of the error table", () => {
    const listed = errorsOf(errorSection(page));
    expect(listed.toSorted()).toEqual(repliesOf(document));
  });

  test.each(both)("$title: its scope, method, and an example request", ({ title, endpoint, section }) => {
    const { scope, orScope, method, name } = endpoint;
    const [, named = ""] = /^Scope: (.+)$/m.exec(section.text) ?? [];
    const wanted = [scope, orScope].filter((one) => one !== null && one !== undefined);
    if (wanted.length === 0) expect(named).toMatch(/^none; any valid key\.$/);
    else expect(codesIn(named)).toEqual(expect.arrayContaining(wanted));
    if (page === "dispatch-interface") expect(section.text).toContain(`\n\n\`${method}\`. `);
    const [request = ""] = blocksOf(section, "sh");
    const path = title.replace(/^\w+ /, "").replace(/\{id\}/, "[\\w-]+");
    const target = page === "path-interface" ? `\\$BASE${path}["?]` : `\\$BASE\\?endpoint=${name}["&]`;
    expect(request).toMatch(new RegExp(target));
  });

  test.each(both)("$title: every parameter in order, marked as required or optional", ({ endpoint, section }) => {
    const listed = rowsOf(section, "Parameter").map(({ Parameter, Required }) => [codesIn(Parameter)[0], Required]);
    const required = fieldsOf(endpoint).map(([name, field]) => [
      name,
      field.safeParse(undefined).success ? "no" : "yes",
    ]);
    expect(listed).toEqual(required);
  });

  test.each(both)("$title: only errors of the error table", ({ section }) => {
    const known = errorsOf(errorSection(page));
    expect(errorsOf(section).filter((error) => !known.includes(error))).toEqual([]);
  });
});

test("dispatch-interface.md: each operation lists the code of each missing parameter", () => {
  for (const section of readSections("dispatch-interface").filter(({ level }) => level === 3)) {
    const endpoint = operations.find(({ name }) => name === section.title) ?? expect.unreachable(section.title);
    const missing = fieldsOf(endpoint)
      .filter(([, field]) => !field.safeParse(undefined).success)
      .map(([name]) => `400 MISSING_${name.toUpperCase()}`);
    expect(errorsOf(section)).toEqual(expect.arrayContaining(missing));
  }
});

test("events.md lists exactly the kinds of events", () => {
  const section = readSections("events").find(({ title }) => title === "Kinds of events");
  const listed = rowsOf(section ?? expect.unreachable("Kinds of events"), "Event").map(
    ({ Event }) => codesIn(Event)[0],
  );
  expect([...new Set(listed)].toSorted()).toEqual([...eventKinds, CHALLENGE_KIND].toSorted());
});

test.each(listPages())("%s.md has no empty cell: each field has a meaning, each error a remedy", (page) => {
  // Heads of columns may be empty: the line below one is dashes.
  const rows = readSections(page).flatMap(({ title, text }) =>
    [...text.matchAll(/^\|.*\|$(?!\n\|-)/gm)].map(([row]) => `${title}: ${row}`),
  );
  expect(rows.filter((row) => /\| *\|/.test(row))).toEqual([]);
});

test("events.md has the retry schedule", () => {
  const section = readSections("events").find(({ title }) => title === "Retries") ?? expect.unreachable("Retries");
  const units = { s: 1_000, min: 60_000, h: 3_600_000 };
  const [, listed = ""] =
    /^Up to ten attempts: the first at once, the others (.+) after the one before/m.exec(section.text) ?? [];
  const delaysMs = listed.split(/, | and /).map((delay) => {
    const [amount = "", unit = ""] = delay.split(" ");
    return Number(amount) * units[unit as keyof typeof units];
  });
  expect([0, ...delaysMs]).toEqual(retryDelaysMs);
});

test("rules.md lists exactly the scopes (contract 1.14)", () => {
  const listed = readSections("rules").flatMap((section) =>
    rowsOf(section, "Scope").map(({ Scope }) => codesIn(Scope)[0]),
  );
  expect(listed).toEqual([...scopes]);
});

test("sandbox.md lists exactly the addresses that simulate failures (contract 5)", () => {
  const listed = readSections("sandbox").flatMap((section) => rowsOf(section, "Address").map(({ Address }) => Address));
  expect(listed).toEqual(Object.keys(simulations));
});
