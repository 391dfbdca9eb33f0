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

test("examples are text, whatever they contain", () => {
  const { html } = readReference(referencePages[1] ?? expect.unreachable());
  expect(html).toContain("&amp;limit=1");
  expect(html).not.toMatch(/<script|onerror/i);
});
