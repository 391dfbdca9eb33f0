import { describe, expect, test } from "vitest";
import { readReference, referenceHref, referencePages } from "./reference.ts";

const pages = referencePages.map((page) => ({ ...page, ...readReference(page), href: referenceHref(page) }));

describe.each(pages)("the reference: $title", ({ title, html, headings }) => {
  test("it is headed once by its name in the navigation", () => {
    const [heading, ...others] = [...html.matchAll(/<h1>(.+?)<\/h1>/g)].map(([, text]) => text);
    expect(others).toEqual([]);
    expect(heading).toBe(title);
    expect(headings.map(({ text }) => text)).not.toContain(title);
  });

  test("every link leads to a page of the reference, and to a heading that it has", () => {
    const links = [...html.matchAll(/ href="([^"]+)"/g)].flatMap(([, href]) => href ?? []);
    const broken = links.filter((href) => {
      if (/^https:/.test(href)) return false;
      const [path, anchor] = href.split("#");
      const page = path === "" ? { html } : pages.find((one) => one.href === path);
      return !page || (anchor !== undefined && !page.html.includes(` id="${anchor}"`));
    });
    expect(broken).toEqual([]);
  });

  test("its headings have different anchors", () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].flatMap(([, id]) => id ?? []);
    expect(ids).toEqual([...new Set(ids)]);
  });
});

test("tables of an operation say whether they list parameters, the answer or errors", () => {
  const [, dispatch = expect.unreachable()] = pages;
  const captions = [...dispatch.html.matchAll(/<caption>(.+?)<\/caption>/g)].map(([, text]) => text);
  expect(captions).toHaveLength(dispatch.html.match(/<table>/g)?.length ?? 0);
  expect([...new Set(captions)].toSorted()).toEqual(["Answer", "Errors", "Parameters"]);
});

test("no citation leads nowhere: rules are links, and what the reference leaves out is not cited alone", () => {
  for (const { html } of pages) {
    expect(html).not.toMatch(/(?<!>)\b(?:contract|rule) \d{1,2}\.\d/i);
    expect(html).not.toMatch(/\(decision|\(operating/);
  }
});

test("examples are text, whatever they contain", () => {
  const { html } = readReference(referencePages[1] ?? expect.unreachable());
  expect(html).toContain("&amp;limit=1");
  expect(html).not.toMatch(/<script|onerror/i);
});
