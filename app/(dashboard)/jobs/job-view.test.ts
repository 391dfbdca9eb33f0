import { expect, test } from "vitest";
import type { LicenseId } from "#lib/domain/ids.ts";
import type { BulkItemRow } from "#lib/services/bulk/list-items.ts";
import { toItemView } from "./job-view.ts";

const item = { licenseId: 12 as LicenseId, bundleInstanceId: null, members: [], chargedAmount: 0n };

test("an item that another operation kept from changing says that the page of its row shows which", () => {
  const errors = [
    { errorCode: "operation_in_progress", errorMessage: "Another operation is under way." },
    { errorCode: "state_invalid", errorMessage: "This license is terminated." },
  ];
  const views = errors.map((error) => toItemView({ ...item, ...error } as unknown as BulkItemRow, "renew"));
  expect(views.map(({ href, message }) => ({ href, message }))).toEqual([
    { href: "/licenses/12", message: "Another operation is under way. Its page shows which while it runs." },
    { href: "/licenses/12", message: "This license is terminated." },
  ]);
});
