import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvRecord } from "./csv.ts";
import { isDomainError } from "./errors.ts";
import { describeAddressProblem } from "./license-address.ts";
import { type ImportOffer, importColumns, MAX_IMPORT_ROWS, readRegistrations } from "./registration-import.ts";

const cycle = (cycleId: number, name: string, price: bigint, setupFee = 0n) => ({ cycleId, name, price, setupFee });
const offers: readonly ImportOffer[] = [
  {
    productId: 1,
    name: "Control Panel",
    type: "control_panel",
    coreMetered: false,
    cycles: [cycle(11, "Monthly", 1000n, 500n), cycle(12, "Yearly", 9000n)],
  },
  { productId: 2, name: "Web Server", type: "web_server", coreMetered: true, cycles: [cycle(21, "Monthly", 800n)] },
  { productId: 3, name: "Twin", type: "twin_a", coreMetered: false, cycles: [cycle(31, "Monthly", 1n)] },
  { productId: 4, name: "Twin", type: "twin_b", coreMetered: false, cycles: [cycle(41, "Monthly", 1n)] },
];

const read = (text: string) => readRegistrations(text, offers);
const row = (cells: string, head = "product,cycle,ip_address,notes,auto_renew,cores") =>
  read(`${head}\n${cells}\n`).rows[0];

function refusal(text: string): string {
  try {
    read(text);
  } catch (error) {
    if (isDomainError(error)) {
      expect(error.message, "a whole sentence, without the field's name and a second full stop").toBe(
        error.details.text,
      );
      return error.message;
    }
    throw error;
  }
  return "was accepted";
}

test("a valid row becomes a registration with its price and setup fee", () => {
  expect(row('Control Panel,Monthly,203.0.113.7,"Order 1, rack 2",yes,')).toEqual({
    line: 2,
    cells: {
      product: "Control Panel",
      cycle: "Monthly",
      ip_address: "203.0.113.7",
      notes: "Order 1, rack 2",
      customer_name: "",
      customer_email: "",
      customer_reference: "",
      tags: "",
      auto_renew: "yes",
      cores: "",
    },
    problems: [],
    registration: {
      productId: 1,
      productName: "Control Panel",
      cycleId: 11,
      ipAddress: "203.0.113.7",
      notes: "Order 1, rack 2",
      labels: { customerName: "", customerEmail: "", customerReference: "", tags: [] },
      autoRenew: true,
      price: 1500n,
    },
  });
});

test.each([
  ["1,12,203.0.113.7,,,", [1, 12]],
  ["CONTROL_PANEL,yearly, 203.0.113.7 ,,no,", [1, 12]],
  ["web server,,203.0.113.7,,0,1", [2, 21]],
  ["twin_b,,203.0.113.7,,,", [4, 41]],
])("product and cycle are known by name in any case, or by id: %s", (cells, ids) => {
  const { productId, cycleId } = row(cells)?.registration ?? {};
  expect([productId, cycleId]).toEqual(ids);
});

test.each([
  ["Nothing,Monthly,203.0.113.7,,,", "“Nothing” is not a product on sale."],
  ["=cmd|' /C calc'!A0,Monthly,203.0.113.7,,,", "“=cmd|' /C calc'!A0” is not a product on sale."],
  [",Monthly,203.0.113.7,,,", "The product is missing."],
  ["twin,,203.0.113.7,,,", "Several products are named “twin”: use the id of one."],
  ["1,,203.0.113.7,,,", "The cycle is missing. Choose one of Monthly, Yearly."],
  ["1,21,203.0.113.7,,,", "“21” is not a billing cycle of Control Panel. Choose one of Monthly, Yearly."],
  ["1,Monthly,=1+1,,,", `The address ${describeAddressProblem("=1+1")}.`],
  ["1,Monthly,203.0.113.07,,,", `The address ${describeAddressProblem("203.0.113.07")}.`],
  ["1,Monthly,127.0.0.1,,,", `The address ${describeAddressProblem("127.0.0.1")}.`],
  ["1,Monthly,203.0.113.7,,maybe,", "auto_renew must be yes or no."],
  ["1,Monthly,203.0.113.7,,,4", "Control Panel is not sold by cores: leave them empty."],
  ["2,Monthly,203.0.113.7,,,4", "A license starts with 1 core: leave the cores empty, and add more after registering."],
  [`1,Monthly,203.0.113.7,${"n".repeat(1001)},,`, "The notes must have at most 1,000 characters."],
  ["1,Monthly,203.0.113.7,a,,,b", "There are more cells than columns: text with commas belongs in quotes."],
])("%.60s is refused: %s", (cells, problem) => {
  expect(row(cells)).toMatchObject({ problems: [problem], registration: null });
});

test("all problems of a row are reported together", () => {
  expect(row("x,,y,,z,")?.problems).toHaveLength(3);
});

test("notes that look like a formula are text; our own formula guard is removed", () => {
  expect(row("1,Monthly,203.0.113.7,=HYPERLINK(1),,")?.registration?.notes).toBe("=HYPERLINK(1)");
  expect(row("1,Monthly,203.0.113.7,'=HYPERLINK(1),,")?.registration?.notes).toBe("=HYPERLINK(1)");
});

test("the second row with the same product and address is rejected, wherever it is", () => {
  const { rows } = read("product,cycle,ip\n1,Monthly,10.0.0.1\n2,,10.0.0.1\n1,Yearly,10.0.0.1\n1,Yearly,10.0.0.2\n");
  expect(rows.map(({ problems }) => problems)).toEqual([
    [],
    [],
    ["Line 2 has the same product on the same address."],
    [],
  ]);
});

describe("the file", () => {
  test.each([
    ["", "The file is empty."],
    ["product,ip_address\n", "There are no rows below the column names."],
    ["1,Monthly,203.0.113.7\n", "The first line must name the columns; product and ip_address are missing."],
    ["Product,Notes\n1,x\n", "The first line must name the columns; ip_address is missing."],
    ["product,type,ip\n1,1,10.0.0.1\n", "Two columns are named product. Keep one of them."],
    ['product,ip\n1,"10.0.0.1\n', "Line 2: a quote is never closed."],
    ["PK\u0003\u0004\0\0", "This is not a text file. Save the table as CSV (UTF-8)."],
  ])("%j is refused: %s", (text, message) => expect(refusal(text)).toBe(message));

  test("has at most 5,000 rows", () => {
    const rows = (count: number) => `product,ip\n${"1,x\n".repeat(count)}`;
    expect(read(rows(MAX_IMPORT_ROWS)).rows).toHaveLength(5_000);
    expect(refusal(rows(MAX_IMPORT_ROWS + 1))).toMatch(/^There are more than 5,000 rows\. Split the file/);
  });

  test("may name its columns in any order, case and spelling; others are named as ignored", () => {
    const { rows, ignoredColumns } = read(
      "Status;Auto renew;IP-Address;Product;Billing Cycle;\nactive;on;10.0.0.1;1;12;\n",
    );
    expect(rows[0]?.registration).toMatchObject({ productId: 1, cycleId: 12, ipAddress: "10.0.0.1", autoRenew: true });
    expect(ignoredColumns).toEqual(["Status"]);
  });
});

test("any table is read without failing, and each row is either valid or has problems", () => {
  const cells = fc.array(fc.oneof(fc.string(), fc.constantFrom("1", "Monthly", "10.0.0.1", "yes", "=1")), {
    minLength: importColumns.length,
    maxLength: importColumns.length,
  });
  fc.assert(
    fc.property(fc.array(cells, { minLength: 1, maxLength: 5 }), (records) => {
      const text = csvRecord(importColumns) + records.map(csvRecord).join("");
      if (text.includes("\0")) return;
      for (const { problems, registration } of readTolerant(text)) {
        expect(problems.length === 0).toBe(registration !== null);
      }
    }),
  );
});

function readTolerant(text: string) {
  try {
    return read(text).rows;
  } catch (error) {
    if (isDomainError(error)) return [];
    throw error;
  }
}
