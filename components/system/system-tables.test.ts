import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { StorageTable } from "./system-tables.tsx";

test("the name of a table breaks between its words only", () => {
  const tables = [{ name: "sandbox_provider_licenses", bytes: "1024", rows: 3 }];
  const shown = renderToStaticMarkup(createElement(StorageTable, { tables }));
  expect(shown).toContain("sandbox_<wbr/>provider_<wbr/>licenses");
  expect(shown).not.toMatch(/wrap-anywhere[^>]*>sandbox/);
});
