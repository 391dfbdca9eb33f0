import fc from "fast-check";
import { expect, test } from "vitest";
import { defaultLicenseColumns, formatLicenseColumns, licenseColumns, parseLicenseColumns } from "./license-column.ts";

test("a choice of columns is read back, in the list's order", () => {
  fc.assert(
    fc.property(fc.subarray([...licenseColumns]), fc.nat(), (columns, turns) => {
      const shuffled = [
        ...columns.slice(turns % (columns.length + 1)),
        ...columns.slice(0, turns % (columns.length + 1)),
      ];
      expect(parseLicenseColumns(formatLicenseColumns(shuffled))).toEqual(columns);
    }),
  );
});

test("whoever has not chosen sees the usual columns, and what is no column is left out", () => {
  expect(parseLicenseColumns(undefined)).toEqual(defaultLicenseColumns);
  expect(parseLicenseColumns("key.<script>.key.")).toEqual(["key"]);
});
