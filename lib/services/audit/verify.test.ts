import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AuditHead } from "#lib/domain/audit-chain.ts";
import { createReseller } from "#lib/services/reseller/create.ts";
import { sql } from "#tests/sql.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { exportAuditLog } from "./export.ts";
import { verifyAuditLog } from "./verify.ts";

let world: World;
beforeEach(async () => {
  world = await newWorld();
  for (const name of ["A", "B", "C", "D"]) await change(name);
});
afterEach(() => world.close());

const change = (name: string) => createReseller(world.operator, { name, email: "a@example.com", currency: "USD" });
const verify = (noted: AuditHead | null = null) => verifyAuditLog(world.operator, { expectedHead: noted ?? undefined });
const at = (position: number) => expect.objectContaining({ position: BigInt(position) });

/** What somebody does who owns the database. */
async function tamper(...statements: string[]): Promise<void> {
  for (const text of [
    "alter table audit_entries disable trigger user",
    "alter table audit_links disable trigger user",
    ...statements,
    "alter table audit_entries enable trigger user",
    "alter table audit_links enable trigger user",
  ]) {
    await world.db.query(sql(text), []);
  }
}
const entryAt = (position: number) => `(select entry_id from audit_links where position = ${position})`;

test("an untouched log is verified, also after changes at the same time", async () => {
  await Promise.all(Array.from({ length: 30 }, (_, n) => change(`at once ${n}`)));
  const { head, ...found } = await verify();
  expect(found).toEqual({ problems: [], unlinkedEntries: 0 });
  expect(head?.position).toBe(34n);
  expect((await verify(head)).problems).toEqual([]);
});

test("an empty log has no head", async () => {
  await tamper("delete from audit_links", "delete from audit_entries");
  expect(await verify()).toEqual({ head: null, problems: [], unlinkedEntries: 0 });
});

describe("is found:", () => {
  const fields = {
    actor: "'user:9'",
    acting_as_reseller_id: "9",
    action: "'x'",
    reseller_id: "9",
    subject: "'x'",
    subject_label: "'x'",
    reason: "'x'",
    data: `'{"a": 1}'`,
    request_id: "'x'",
    address: "'192.0.2.1'",
    created_at: "created_at + interval '1 millisecond'",
  };
  test.each(Object.entries(fields))("another %s", async (field, value) => {
    await tamper(`update audit_entries set ${field} = ${value} where id = ${entryAt(2)}`);
    expect((await verify()).problems).toEqual([{ kind: "entry_changed", position: 2n, entryId: expect.any(BigInt) }]);
  });

  test("every column of the table is covered", async () => {
    const columns = "select column_name from information_schema.columns where table_name = 'audit_entries'";
    const names = (await world.db.query(sql<{ column_name: string }>(columns), [])).map((row) => row.column_name);
    expect(names.filter((name) => name !== "id").toSorted()).toEqual(Object.keys(fields).toSorted());
  });

  test("another reason, hidden by another function for the hashed text", async () => {
    const definition = "select pg_get_functiondef('audit_entry_text'::regproc) as text";
    const [before] = await world.db.query(sql<{ text: string }>(definition), []);
    try {
      await tamper(
        `do $do$ begin execute format('create or replace function audit_entry_text(e audit_entries) returns text language sql
           as $f$ select case e.id when %s then %L else ''x'' end $f$', ${entryAt(2)},
           (select audit_entry_text(e) from audit_entries e where id = ${entryAt(2)})); end $do$`,
        `update audit_entries set reason = 'another' where id = ${entryAt(2)}`,
      );
      expect((await verify()).problems).toEqual([{ kind: "entry_changed", position: 2n, entryId: expect.any(BigInt) }]);
    } finally {
      await world.db.query(sql(before?.text ?? ""), []);
    }
  });

  test("an entry that was removed", async () => {
    await tamper(`delete from audit_entries where id = ${entryAt(3)}`);
    expect((await verify()).problems).toEqual([{ kind: "entry_missing", position: 3n, entryId: expect.any(BigInt) }]);
  });

  test("an entry that was removed with its link", async () => {
    await tamper(`delete from audit_entries where id = ${entryAt(3)}`, "delete from audit_links where position = 3");
    expect((await verify()).problems).toEqual([{ kind: "links_missing", position: 3n }]);
  });

  test("an entry that was removed, and the later ones moved up", async () => {
    await tamper(
      `delete from audit_entries where id = ${entryAt(3)}`,
      "delete from audit_links where position = 3",
      "update audit_links set position = 3 where position = 4",
    );
    expect((await verify()).problems).toEqual([at(3)]);
  });

  test("entries in another order", async () => {
    await tamper(
      "create temp table swapped as select position, entry_id from audit_links where position in (2, 3)",
      "update audit_links set entry_id = -position where position in (2, 3)",
      "update audit_links l set entry_id = s.entry_id from swapped s where l.position = 5 - s.position",
    );
    expect((await verify()).problems).toEqual([at(2), at(3)]);
  });

  test("an entry that was written past the chain", async () => {
    await tamper(
      "insert into audit_entries (actor, action, subject, created_at) values ('user:1', 'wallet.adjust', 'wallet:1', now())",
    );
    expect(await verify()).toMatchObject({ problems: [], unlinkedEntries: 1 });
  });

  test("the newest entries cut off, against a head that was noted", async () => {
    const { head } = await verify();
    await tamper(`delete from audit_entries where id = ${entryAt(4)}`, "delete from audit_links where position = 4");
    expect((await verify()).problems).toEqual([]);
    expect((await verify(head)).problems).toEqual([{ kind: "head_differs", position: 4n }]);
  });

  test("a chain that was written anew, against a head that was noted", async () => {
    const { head } = await verify();
    await tamper(
      `update audit_entries set reason = 'another' where id = ${entryAt(2)}`,
      `with recursive anew as (
         select l.position, l.entry_id, sha256(convert_to(audit_entry_text(e), 'UTF8')) as hash
           from audit_links l join audit_entries e on e.id = l.entry_id where l.position = 1
         union all
         select l.position, l.entry_id, sha256(a.hash || convert_to(audit_entry_text(e), 'UTF8'))
           from anew a join audit_links l on l.position = a.position + 1 join audit_entries e on e.id = l.entry_id
       ) update audit_links l set hash = a.hash from anew a where a.position = l.position`,
    );
    expect((await verify()).problems).toEqual([]);
    expect((await verify(head)).problems).toEqual([{ kind: "head_differs", position: 4n }]);
  });
});

test("the export can be verified line by line by anybody with SHA-256, and is itself in the log", async () => {
  let text = "";
  for await (const piece of exportAuditLog(world.operator)) text += piece;
  const lines = text.trimEnd().split("\n");
  let previous = Buffer.alloc(0);
  for (const [index, line] of lines.entries()) {
    const [, position, hash, entry = ""] =
      /^\{"position": (\d+), "hash": "([0-9a-f]{64})", "entry": (.*)\}$/.exec(line) ?? [];
    expect(Number(position)).toBe(index + 1);
    previous = createHash("sha256")
      .update(Buffer.concat([previous, Buffer.from(entry)]))
      .digest() as Buffer<ArrayBuffer>;
    expect(previous.toString("hex")).toBe(hash);
    expect(JSON.parse(line).entry).toEqual(JSON.parse(entry));
  }
  expect(JSON.parse(lines[0] ?? "").entry).toMatchObject({ action: "reseller.create", subject_label: "A" });
  expect(JSON.parse(lines.at(-1) ?? "").entry).toMatchObject({ action: "audit.export", actor: "system:test" });
  expect(lines).toHaveLength(5);
});
