import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { sql } from "#tests/sql.ts";
import { ip, rehearsed } from "#tests/support/faults.ts";
import { createInbox, type Inbox } from "#tests/support/inbox.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";

let world: World;
let inbox: Inbox;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
  inbox = createInbox(world);
});
beforeEach(async () => {
  reseller = await inbox.begin();
});
afterAll(() => world.close());

type Row = Record<string, unknown> & { readonly id?: number };

/** Set by the success, or by a rule of its own (contract 3.17). */
const setAtReturn = ["external_id", "open_operation_id", "provider_reference", "provisioned_at", "updated_at"];
/** Empty until the registration has succeeded. */
const setLater = ["suspended_at", "suspended_by", "suspension_reason", "terminated_at"];

/** A row of the table as the database's defaults make it. */
async function readDefaults(table: string): Promise<Row> {
  const defaults = `select string_agg(format('%L, %s', a.attname, coalesce(pg_get_expr(d.adbin, d.adrelid), 'null')), ', ') as list
                      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
                     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''`;
  const [{ list } = { list: "" }] = await world.db.query(sql<{ list: string }>(defaults), [table]);
  const [{ row } = { row: {} }] = await world.db.query(
    sql<{ row: Row }>(`select jsonb_build_object(${list}) as row`),
    [],
  );
  return row;
}

describe("a registration that is adopted late restores every column of", () => {
  /** `unused`: columns that the example leaves at their default. No other one is, so that none is lost unnoticed. */
  async function adopt(table: "licenses" | "bundle_instances", unused: readonly string[]) {
    await inbox.refuseWhatWasLost();
    const column = table === "licenses" ? "license" : "bundle_instance";
    const discarded = await world.db.query(
      sql<{ key: string; row: Row }>(
        `select license_key as key, ${column} as row from discarded_registrations where reseller_id = $1`,
      ),
      [reseller.id],
    );
    const before = discarded[0]?.row ?? {};
    for (const { key } of discarded) await inbox.hold(key, rehearsed.losesRequest);
    await inbox.compare();
    const [found] = await inbox.openCases();
    await inbox.act(found?.id ?? 0, "adopt");
    const text = `select to_jsonb(r) as row from ${table} r where id = $1`;
    const [restored] = await world.db.query(sql<{ row: Row }>(text), [before.id]);

    const kept = Object.entries(before).filter(([name]) => !setAtReturn.includes(name));
    expect(restored?.row).toMatchObject(Object.fromEntries(kept));
    const defaults = await readDefaults(table);
    const isDefault = ([name, value]: [string, unknown]) => JSON.stringify(value) === JSON.stringify(defaults[name]);
    const untouched = kept.filter((entry) => isDefault(entry) && !setLater.includes(entry[0]));
    expect(untouched.map(([name]) => name)).toEqual(unused);
  }

  test("the license", async () => {
    const { licenseId } = await reseller.register({ type: "web_server", ip: rehearsed.losesRequest });
    await inbox.editBooks(
      `update licenses set hostname = 'a.example', notes = 'a note', customer_name = 'Ada', customer_email = 'ada@b.example',
              customer_reference = 'C-1', tags = '{vip}', auto_renew = true, agreed_renewal_price = 1234,
              announced_renewal_price = 2345, renewal_price_announced_at = issued_at where id = $1`,
      [licenseId],
    );
    await adopt("licenses", ["bundle_instance_id"]);
  });

  test("the bundle", async () => {
    const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
    const ipAddress = ip(rehearsed.losesRequest);
    const { instance } = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress });
    await inbox.editBooks(
      `update bundle_instances set auto_renew = true, agreed_renewal_price = 1234, announced_renewal_price = 2345,
              renewal_price_announced_at = issued_at where id = $1`,
      [instance.id],
    );
    await adopt("bundle_instances", []);
  });
});
