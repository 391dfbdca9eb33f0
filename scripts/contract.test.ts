import { expect, test } from "vitest";
import { readSections, readSources, type SourceFile } from "#tests/support/contract-documents.ts";

const NUMBER = "\\d(?:\\.\\d{1,2})?";
/** "contract 3.3", "contract 3.4, 3.10 and 5", "contract 3.2–3.6". */
const citation = new RegExp(`\\b[Cc]ontract (${NUMBER}(?:(?:, | and |–)${NUMBER})*)\\b`, "g");
const place = /\b(rules|path-interface|dispatch-interface|events|sandbox)\.md#([\w-]+)/g;
/** Outdated citations, and numbers without a document. */
const nameless =
  /\b[Dd]ecisions \d(?:\.\d+)?\b|\([1-5]\.\d{1,2}(?:, [1-5]\.\d{1,2})*\)["`]|["`][1-5]\.\d{1,2}(?:, [1-5]\.\d{1,2})*: /g;

const sources = [...readSources()];
const rules = definedRules();

/** `**3.4 license.renew.**`, and sections without numbered rules: `## 5. Sandbox provider`. */
function definedRules(): string[] {
  return readSections("rules").flatMap(({ title, text }) => {
    const numbered = [...text.matchAll(/^\*\*(\d\.\d+) /gm)].map(([, number = ""]) => number);
    const section = /^(\d)\. /.exec(title)?.[1];
    return numbered.length > 0 || section === undefined ? numbered : [section];
  });
}

interface Citation {
  readonly rule: string;
  readonly by: string;
}

function citationsIn({ path, text }: SourceFile): Citation[] {
  return [...text.matchAll(citation)].flatMap(([, numbers = ""]) =>
    numbers.split(/, | and /).flatMap((part) => expand(part).map((rule) => ({ rule, by: path }))),
  );
}

function expand(part: string): string[] {
  const [from = "", to] = part.split("–");
  if (to === undefined) return [from];
  const last = Number(to.split(".")[1]);
  const [section, first] = from.split(".").map(Number);
  return Array.from({ length: last - Number(first) + 1 }, (_, step) => `${section}.${Number(first) + step}`);
}

const citations = sources.flatMap(citationsIn);

test("rule numbers are unique and in order", () => {
  const order = (rule: string) =>
    rule
      .split(".")
      .map((part) => part.padStart(3, "0"))
      .join(".");
  expect(rules.map(order)).toEqual([...new Set(rules.map(order))].toSorted());
  expect(rules.length).toBeGreaterThanOrEqual(44);
});

test("every cited rule exists", () => {
  const sections = rules.map((rule) => rule.split(".")[0]);
  const broken = citations.filter(({ rule }) => !rules.includes(rule) && !sections.includes(rule));
  expect(broken).toEqual([]);
  expect(citations.length).toBeGreaterThan(500);
});

test("every rule is cited by a test", () => {
  const tested = new Set(citations.filter(({ by }) => /\.(?:test|spec)\.ts$/.test(by)).map(({ rule }) => rule));
  expect(rules.filter((rule) => !tested.has(rule))).toEqual([]);
});

test("a citation names the contract", () => {
  const found = sources
    .filter(({ path }) => path !== "scripts/contract.test.ts")
    .flatMap(({ path, text }) => [...text.matchAll(nameless)].map(([match]) => `${path}: ${match}`));
  expect(found).toEqual([]);
});

test("every cited or linked section of the contract exists", () => {
  const anchors = new Map<string, readonly string[]>(
    (["rules", "path-interface", "dispatch-interface", "events", "sandbox"] as const).map((page) => [
      page,
      readSections(page).map(({ anchor }) => anchor),
    ]),
  );
  const cited = sources.flatMap(({ path, text }) =>
    [...text.matchAll(place)].map(([, page = "", anchor = ""]) => ({ path, page, anchor })),
  );
  expect(cited.filter(({ page, anchor }) => !anchors.get(page)?.includes(anchor))).toEqual([]);
  expect(cited.length).toBeGreaterThan(20);
});
