import { afterAll, beforeAll, expect, test } from "vitest";
import { formatLicenseId } from "#lib/domain/ids.ts";
import { defaultLicenseColumns, licenseColumns } from "#lib/domain/license-column.ts";
import { sql } from "#tests/sql.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { exportLicenses, type LicenseExportInput } from "./export.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

async function lines(reseller: ResellerWorld, input: Partial<LicenseExportInput> = {}): Promise<readonly string[]> {
  let text = "";
  const all = { filter: {}, order: "oldest", columns: defaultLicenseColumns } as const;
  for await (const piece of exportLicenses(reseller.context(), { ...all, ...input })) text += piece;
  return text.split("\r\n").slice(0, -1);
}

test("the file has a header and this reseller's matching licenses, in the chosen order", async () => {
  const reseller = await world.reseller();
  const other = await world.reseller();
  const first = await reseller.register({ ip: "10.1.0.10" });
  const second = await reseller.register({ ip: "10.1.0.9" });
  await other.register();
  const header = "license_id,product,hostname,ip_address,license_key,status,expires_at";
  const { productName: name } = await reseller.license(first.licenseId);
  const line = ({ licenseId, licenseKey, expiresAt }: typeof first, address: string) =>
    `${formatLicenseId(licenseId)},${name},,${address},${licenseKey},active,${expiresAt.toISOString().slice(0, 19)}Z`;
  expect(await lines(reseller)).toEqual([header, line(first, "10.1.0.10"), line(second, "10.1.0.9")]);
  expect(await lines(reseller, { order: "address" })).toEqual([
    header,
    line(second, "10.1.0.9"),
    line(first, "10.1.0.10"),
  ]);
  expect(await lines(reseller, { filter: { ipAddress: "10.1.0.9" } })).toEqual([header, line(second, "10.1.0.9")]);
});

test("every column has its fields, and none can become a formula in a spreadsheet", async () => {
  const reseller = await world.reseller();
  const { licenseId } = await reseller.register();
  await world.db.query(sql("update licenses set notes = $2, hostname = '=cmd' where id = $1"), [
    licenseId,
    '=HYPERLINK("http://evil.example";"click")',
  ]);
  const [header, line] = await lines(reseller, { columns: licenseColumns });
  expect(header).toBe(
    "license_id,product,hostname,ip_address,license_key,status,expires_at,cores,bundle,bundle_instance,auto_renew,cycle,registered_at,customer_name,customer_email,customer_reference,tags,notes",
  );
  expect(line).toContain(",'=cmd,");
  expect(line).toContain(`,"'=HYPERLINK(""http://evil.example"";""click"")"`);
  expect((await lines(reseller, { columns: [] }))[0]).toBe("license_id,product");
});

test("a long list arrives in small chunks", async () => {
  const reseller = await world.reseller({ funds: "0" });
  const { productId, cycleId } = await world.offer(reseller.id, "control_panel");
  await world.db.query(
    sql(`insert into licenses (key, reseller_id, product_id, cycle_id, ip_address, issued_at, anchored_at, expires_at, terminated_at)
           select gen_random_uuid()::text, $1, $2, $3, '10.3.' || n / 256 || '.' || n % 256, $4, $4, $4::timestamptz + interval '1 day', $4
             from generate_series(1, 600) n`),
    [reseller.id, productId, cycleId, new Date()],
  );
  const sizes: number[] = [];
  const input = { filter: {}, order: "address_last", columns: ["server"] } as const;
  for await (const piece of exportLicenses(reseller.context(), input)) sizes.push(piece.split("\r\n").length - 1);
  expect(sizes).toEqual([1, 250, 250, 100]);
});
