import { expect, test } from "vitest";
import { describeEvent } from "./event-text.ts";

test("where a change is broken into lines, none begins with the arrow", () => {
  const risen = { price: 16, previous_price: 14.5, currency: "USD" };
  expect(describeEvent("license.expiring_soon", risen).detail).toBe("$14.50\u00a0→ $16.00");
  expect(describeEvent("license.cores_changed", { old_cores: 1, new_cores: 4 }).detail).toBe("1\u00a0→ 4");
});

test("the end of a renewed term is a time, to be shown in the reader's zone", () => {
  const renewed = { expires_at: "2027-04-10T02:00:00Z" };
  expect(describeEvent("license.renewed", renewed)).toMatchObject({ detail: null, until: renewed.expires_at });
});
