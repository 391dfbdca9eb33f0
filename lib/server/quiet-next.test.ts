import { expect, test } from "vitest";
import { unavailable } from "#lib/db/connection/errors.ts";
import { quietOutages } from "./quiet-outages.ts";

test("a page that fails because the database is unavailable prints no error; every other error is printed", () => {
  const printed: unknown[][] = [];
  const target = { error: (...parts: unknown[]) => void printed.push(parts) };
  quietOutages(target);
  const fault = new Error("a fault of ours");
  target.error("⨯", unavailable(new Error("connect ECONNREFUSED")));
  target.error("⨯", fault);
  target.error("⨯", { code: "unavailable" });
  target.error();
  expect(printed).toEqual([["⨯", fault], ["⨯", { code: "unavailable" }], []]);
});
