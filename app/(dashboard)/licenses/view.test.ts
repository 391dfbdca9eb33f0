import { expect, test } from "vitest";
import { type licenseParams, loadLicenseParams } from "#components/license/license-params.ts";
import { filterOf } from "./view.ts";

/** A value of each parameter that filters. */
const values: Readonly<Record<Exclude<keyof typeof licenseParams, "reseller" | "sort" | "after" | "before">, string>> =
  {
    q: "web",
    status: "active",
    product: "web_server",
    expires: "7",
    address: "203.0.113.7",
    bundle: "1",
    instance: "1",
    renewal: "manual",
    customer: "Acme",
    tag: "eu",
  };

test.each(Object.entries(values))("the list's parameter %s filters", (name, value) => {
  const filter = filterOf(loadLicenseParams(new URLSearchParams({ [name]: value })));
  expect(Object.values(filter).filter((part) => part !== undefined)).toHaveLength(1);
});
