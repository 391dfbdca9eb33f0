import { expect, test } from "vitest";
import { readViewQuery, viewHref } from "./lists.ts";

test("a view keeps what its list understands, without the page", () => {
  const query = "?status=expired&sort=expires&after=x&before=y&page=https://elsewhere.example&status=nonsense";
  expect(readViewQuery("licenses", query)).toBe("?status=expired");
  expect(readViewQuery("licenses", "?after=x")).toBe("");
  expect(readViewQuery("audit", "?action=wallet.top_up&before=12")).toBe("?action=wallet.top_up");
});

test.each(["//elsewhere.example", "?//elsewhere.example", "/wallet", "\\elsewhere", "#x", "?q=%00"])(
  "%j leads nowhere but to its list",
  (query) => {
    expect(viewHref("licenses", query)).toBe("/licenses");
    expect(viewHref("servers", query)).toBe("/diagnostics");
  },
);
