import { numberText } from "./count-text.ts";
import { withoutFormulaGuard } from "./csv.ts";
import { type CsvLine, readCsv } from "./csv-reader.ts";
import { type DomainError, malformed } from "./errors.ts";
import { CUSTOMER_FIELD_RULES, type Labels, parseCustomerField, parseTags, TAGS_RULE } from "./labels.ts";
import { describeAddressProblem, type LicenseAddress, parseLicenseAddress } from "./license-address.ts";
import { registrationPrice } from "./pricing.ts";
import { clip, hasNul, isWithinLength, NOTES_MAX_LENGTH } from "./text.ts";

/** Bounds the quote of an invalid cell. */
const QUOTED_LENGTH = 60;

/** Bounds what a user can review before the start (lib/domain/bulk.ts). */
export const MAX_IMPORT_ROWS = 5_000;

/** Columns of an import with their aliases (docs/import.md). */
const columnNames = {
  product: ["product_id", "type"],
  cycle: ["cycle_id", "billing_cycle"],
  ip_address: ["ip", "address"],
  notes: ["note"],
  customer_name: ["customer"],
  customer_email: [],
  customer_reference: [],
  tags: ["tag"],
  auto_renew: ["autorenew"],
  cores: [],
} as const satisfies Record<string, readonly string[]>;

export type ImportColumn = keyof typeof columnNames;
export const importColumns = Object.keys(columnNames) as readonly ImportColumn[];
const requiredColumns = ["product", "ip_address"] as const satisfies readonly ImportColumn[];

/** A product on sale. Money in minor units of one currency. */
export interface ImportOffer {
  readonly productId: number;
  readonly name: string;
  readonly type: string;
  readonly coreMetered: boolean;
  readonly cycles: readonly {
    readonly cycleId: number;
    readonly name: string;
    readonly price: bigint;
    readonly setupFee: bigint;
  }[];
}

/** A valid row. `price` in minor units, with the setup fee. */
export interface ImportedRegistration {
  readonly productId: number;
  readonly productName: string;
  readonly cycleId: number;
  readonly ipAddress: LicenseAddress;
  readonly notes: string;
  readonly labels: Labels;
  readonly autoRenew: boolean;
  readonly price: bigint;
}

export interface ImportRow {
  /** Line of the file, counted from 1. */
  readonly line: number;
  /** As written in the file. */
  readonly cells: Readonly<Record<ImportColumn, string>>;
  /** Sentences; empty if the row can be registered. */
  readonly problems: readonly string[];
  /** Null if there are problems. */
  readonly registration: ImportedRegistration | null;
}

export interface ImportTable {
  readonly rows: readonly ImportRow[];
  /** Unknown columns of the file. */
  readonly ignoredColumns: readonly string[];
}

export const NOT_A_TEXT_FILE = "This is not a text file. Save the table as CSV (UTF-8).";

/**
 * Rows of a CSV file of registrations, each parsed or with its problems.
 * @throws DomainError `parameters_invalid` if the file as a whole is unreadable
 */
export function readRegistrations(text: string, offers: readonly ImportOffer[]): ImportTable {
  if (hasNul(text)) throw unreadable(NOT_A_TEXT_FILE);
  const lines = readCsv(text, MAX_IMPORT_ROWS + 1);
  if ("message" in lines) throw unreadable(`Line ${lines.line}: ${lines.message}.`);
  const [head, ...records] = lines;
  if (head === undefined) throw unreadable("The file is empty.");
  const { places, ignoredColumns } = readHead(head.cells);
  if (records.length === 0) throw unreadable("There are no rows below the column names.");
  if (records.length > MAX_IMPORT_ROWS) {
    const limit = numberText(MAX_IMPORT_ROWS);
    throw unreadable(`There are more than ${limit} rows. Split the file, and import its parts one after the other.`);
  }
  const rows = records.map((record) => readRow(record, places, head.cells.length, offers));
  return { rows: rejectDuplicates(rows), ignoredColumns };
}

function unreadable(message: string): DomainError {
  return malformed("text", message);
}

type Places = ReadonlyMap<ImportColumn, number>;

function readHead(cells: readonly string[]): { places: Places; ignoredColumns: readonly string[] } {
  const places = new Map<ImportColumn, number>();
  const ignoredColumns: string[] = [];
  for (const [index, cell] of cells.entries()) {
    const name = cell
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, "_");
    const column = importColumns.find((known) => known === name || columnNames[known].some((other) => other === name));
    if (column === undefined) {
      if (name !== "") ignoredColumns.push(cell.trim());
    } else if (places.has(column)) throw unreadable(`Two columns are named ${column}. Keep one of them.`);
    else places.set(column, index);
  }
  const missing = requiredColumns.filter((column) => !places.has(column));
  if (missing.length > 0) {
    throw unreadable(
      `The first line must name the columns; ${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} missing.`,
    );
  }
  return { places, ignoredColumns };
}

function readRow({ line, cells }: CsvLine, places: Places, width: number, offers: readonly ImportOffer[]): ImportRow {
  const cellOf = (column: ImportColumn) => withoutFormulaGuard(cells[places.get(column) ?? -1]?.trim() ?? "");
  const written = Object.fromEntries(importColumns.map((column) => [column, cellOf(column)])) as ImportRow["cells"];
  const problems: string[] = [];
  if (cells.length > width) problems.push("There are more cells than columns: text with commas belongs in quotes.");
  const registration = readRegistration(written, offers, problems);
  return { line, cells: written, problems, registration: problems.length === 0 ? registration : null };
}

function readRegistration(
  cells: ImportRow["cells"],
  offers: readonly ImportOffer[],
  problems: string[],
): ImportedRegistration | null {
  const product = findProduct(cells.product, offers, problems);
  const cycle = product && findCycle(cells.cycle, product, problems);
  const ipAddress = parseLicenseAddress(cells.ip_address);
  if (ipAddress === null) problems.push(`The address ${describeAddressProblem(cells.ip_address)}.`);
  if (!isWithinLength(cells.notes, NOTES_MAX_LENGTH)) problems.push("The notes must have at most 1,000 characters.");
  const autoRenew = booleans.get(cells.auto_renew.toLowerCase());
  if (autoRenew === undefined) problems.push("auto_renew must be yes or no.");
  const labels = readLabels(cells, problems);
  if (product) checkCores(cells.cores, product, problems);
  if (!product || !cycle || ipAddress === null || autoRenew === undefined || labels === null) return null;
  const { productId, name: productName } = product;
  const price = registrationPrice(cycle);
  return { productId, productName, cycleId: cycle.cycleId, ipAddress, notes: cells.notes, labels, autoRenew, price };
}

function readLabels(cells: ImportRow["cells"], problems: string[]): Labels | null {
  const customerName = parseCustomerField.customerName(cells.customer_name);
  const customerEmail = parseCustomerField.customerEmail(cells.customer_email);
  const customerReference = parseCustomerField.customerReference(cells.customer_reference);
  const tags = parseTags(cells.tags);
  if (customerName === null) problems.push(`customer_name ${CUSTOMER_FIELD_RULES.customerName}.`);
  if (customerEmail === null) problems.push(`customer_email ${CUSTOMER_FIELD_RULES.customerEmail}.`);
  if (customerReference === null) problems.push(`customer_reference ${CUSTOMER_FIELD_RULES.customerReference}.`);
  if (tags === null) problems.push(`tags ${TAGS_RULE}.`);
  if (customerName === null || customerEmail === null || customerReference === null || tags === null) return null;
  return { customerName, customerEmail, customerReference, tags };
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...["yes", "true", "on", "1"].map((text) => [text, true] as const),
  ...["", "no", "false", "off", "0"].map((text) => [text, false] as const),
]);

function findProduct(text: string, offers: readonly ImportOffer[], problems: string[]): ImportOffer | null {
  const wanted = text.toLowerCase();
  const named = offers.filter(({ productId, name, type }) =>
    [String(productId), name.toLowerCase(), type.toLowerCase()].includes(wanted),
  );
  if (named.length === 1) return named[0] ?? null;
  if (text === "") problems.push("The product is missing.");
  else if (named.length === 0) problems.push(`“${clip(text, QUOTED_LENGTH)}” is not a product on sale.`);
  else problems.push(`Several products are named “${clip(text, QUOTED_LENGTH)}”: use the id of one.`);
  return null;
}

function findCycle(
  text: string,
  { name, cycles }: ImportOffer,
  problems: string[],
): ImportOffer["cycles"][number] | null {
  const wanted = text.toLowerCase();
  const named = cycles.filter((cycle) => [String(cycle.cycleId), cycle.name.toLowerCase()].includes(wanted));
  const found = text === "" && cycles.length === 1 ? cycles[0] : named[0];
  if (found !== undefined) return found;
  const names = cycles.map((cycle) => cycle.name).join(", ");
  const problem =
    text === "" ? "The cycle is missing." : `“${clip(text, QUOTED_LENGTH)}” is not a billing cycle of ${name}.`;
  problems.push(`${problem} Choose ${cycles.length === 1 ? names : `one of ${names}`}.`);
  return null;
}

/** A license starts with one core, included in its price (contract 3.3). */
function checkCores(text: string, { name, coreMetered }: ImportOffer, problems: string[]): void {
  if (text === "" || (coreMetered && text === "1")) return;
  problems.push(
    coreMetered
      ? "A license starts with 1 core: leave the cores empty, and add more after registering."
      : `${name} is not sold by cores: leave them empty.`,
  );
}

/** An address has at most one live license of a product (contract 3.3): the first row wins. */
function rejectDuplicates(rows: readonly ImportRow[]): readonly ImportRow[] {
  const lines = new Map<string, number>();
  return rows.map((row) => {
    if (row.registration === null) return row;
    const slot = slotKey(row.registration);
    const earlier = lines.get(slot);
    if (earlier !== undefined) return rejectRow(row, `Line ${earlier} has the same product on the same address.`);
    lines.set(slot, row.line);
    return row;
  });
}

/** Key of the slot that only one live license can occupy. */
export function slotKey({ productId, ipAddress }: { readonly productId: number; readonly ipAddress: string }): string {
  return `${productId} ${ipAddress}`;
}

export function rejectRow(row: ImportRow, problem: string): ImportRow {
  return { ...row, problems: [...row.problems, problem], registration: null };
}
