import fc from "fast-check";
import { expect, test } from "vitest";
import { defaultLicenseColumns, formatLicenseColumns, licenseColumns, parseLicenseColumns } from "./license-column.ts";

test("chosen columns round-trip in list order", () => {
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

test("the default columns are shown without a choice, and unknown names are skipped", () => {
  expect(parseLicenseColumns(undefined)).toEqual(defaultLicenseColumns);
  expect(parseLicenseColumns("key.<script>.key.")).toEqual(["key"]);
});
