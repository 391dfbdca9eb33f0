import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");

function filesWith(pattern: RegExp, ...folders: string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
    )
    .filter((path) => /\.tsx?$/.test(path) && !path.includes(".test.") && !path.includes("/generated/"))
    .filter((path) => pattern.test(readFileSync(join(root, path), "utf8")))
    .sort();
}

/** The service that reads what is typed into each field of an amount. */
const readers: Readonly<Record<string, readonly string[]>> = {
  "components/api-key/key-actions.tsx": ["lib/services/api-key/set-spending-limit.ts"],
  "components/catalog/cycle-dialogs.tsx": ["lib/domain/catalog.ts"],
  "components/price-grid/price-grid.tsx": ["lib/domain/catalog.ts"],
  "components/provider/import-catalog.tsx": ["lib/services/catalog/import-from-provider.ts"],
  "components/reseller/payment-settings-form.tsx": ["lib/services/wallet/payment-settings.ts"],
  "components/wallet/amount-field.tsx": [
    "lib/services/sandbox/add-play-money.ts",
    "lib/services/wallet/adjust.ts",
    "lib/services/wallet/decide-top-up.ts",
    "lib/services/wallet/refund.ts",
    "lib/services/wallet/request-top-up.ts",
    "lib/services/wallet/top-up.ts",
  ],
  "components/wallet/low-balance-setting.tsx": ["lib/services/wallet/set-low-balance-threshold.ts"],
};

test("every field of an amount is read by the one parser of typed amounts", () => {
  expect(filesWith(/inputMode="decimal"/, "app", "components")).toEqual(Object.keys(readers));
  const parsing = new Set(filesWith(/\b(?:parseTypedAmount|readAmount)\(/, "lib/domain", "lib/services"));
  for (const reader of Object.values(readers).flat()) expect(parsing, reader).toContain(reader);
});

test("what only programs write is not read as typed, and nothing typed as written by programs", () => {
  expect(filesWith(/\bparseMajor\(/, "app", "components", "lib/services")).toEqual([
    "app/(dashboard)/notifications/describe.ts",
    "components/provider/provider-actions.tsx",
    "components/ui/money-text.ts",
    "lib/services/catalog/import-cycle.ts",
    "lib/services/operation/report-charges.ts",
  ]);
});
