import { expect, test } from "vitest";
import { describeRenewalFailure } from "./renewal-failure.ts";

test("an unknown reason is said in its own words, whatever it is called", () => {
  expect(describeRenewalFailure("price_limit")).toBe("the price is above your auto-renew limit");
  for (const reason of ["toString", "constructor", "__proto__"]) {
    expect(describeRenewalFailure(reason)).toBe(reason.replaceAll("_", " "));
  }
});
