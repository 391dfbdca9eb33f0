/** Invariants of the books at any time. */
import { expect } from "vitest";
import type { Database } from "#lib/db/connection/client.ts";
import { coreLotRules } from "#lib/db/core-lot/rules.ts";
import type { WebhookKind } from "#lib/domain/events.ts";
import { readPlan } from "#lib/domain/operation-plan.ts";
import { sql } from "#tests/sql.ts";
import { eventData } from "../../scripts/openapi/event-bodies.ts";

/** Each query selects violations. */
const ledgerInvariants: Readonly<Record<string, string>> = {
  ...coreLotRules,
  "a wallet's posted balance is the sum of its entries": `
    select w.reseller_id, w.posted, coalesce(sum(e.amount), 0) as entries
      from wallets w left join ledger_entries e on e.reseller_id = w.reseller_id
     group by w.reseller_id having w.posted <> coalesce(sum(e.amount), 0)`,
  "what a wallet holds is the sum of its open operations' holds": `
    select w.reseller_id, w.held, coalesce(sum(o.hold_amount), 0) as holds
      from wallets w left join operations o on o.reseller_id = w.reseller_id and o.state in ('held', 'sent', 'unknown')
     group by w.reseller_id having w.held <> coalesce(sum(o.hold_amount), 0)`,
  "what can be spent is never negative":
    "select reseller_id, posted, held from wallets where posted - held < 0 or held < 0",
  "a wallet is stopped while its reseller is suspended, and only then": `
    select w.reseller_id from wallets w join resellers r on r.id = w.reseller_id where w.suspended <> (r.suspended_at is not null)`,
  "each entry's balance follows from the one before": `
    select id, posted_after, amount from (
      select e.*, coalesce(lag(e.posted_after) over (partition by e.reseller_id order by e.id), 0) as posted_before from ledger_entries e
    ) chain where posted_after <> posted_before + amount`,
  "a balance is never negative after any entry": "select id, posted_after from ledger_entries where posted_after < 0",
  "per currency, wallets and platform accounts add up to zero": `
    select currency, sum(amount) from (
      select currency, posted as amount from wallets
      union all
      select w.currency, -e.amount from ledger_entries e join wallets w on w.reseller_id = e.reseller_id
    ) books group by currency having sum(amount) <> 0`,
  // The reference of an inbox settlement is its case.
  "a succeeded operation was charged or credited exactly its price, once": `
    select o.id, o.price from operations o
      left join ledger_entries e on e.operation_id = o.id and e.kind in ('charge', 'credit') and e.reference is null
     where o.state = 'succeeded'
     group by o.id, o.reseller_id having coalesce(sum(e.amount), 0) <> -o.price or count(e.id) > 1`,
  "an operation that is open or refused has no entry": `
    select o.id, o.state, e.id from operations o join ledger_entries e on e.operation_id = o.id
     where o.state <> 'succeeded' and e.reference is null`,
  "refunds give back no more than was charged": `
    select operation_id, sum(amount) from ledger_entries
     where operation_id is not null and operation_id in (select operation_id from ledger_entries where kind = 'refund')
     group by operation_id having sum(amount) > 0`,
  "an entry's kind fits its sign and its account": `
    select id, kind, counter_account, amount from ledger_entries
     where (kind, counter_account, sign(amount)) not in (('charge', 'revenue', -1), ('credit', 'credits', 1), ('top_up', 'top_ups', 1),
             ('adjustment', 'adjustments', 1), ('adjustment', 'adjustments', -1), ('refund', 'credits', 1))`,
  "charges, credits and refunds belong to an operation of the wallet's reseller, the rest to none": `
    select e.id from ledger_entries e join wallets w on w.reseller_id = e.reseller_id left join operations o on o.id = e.operation_id
     where (e.kind in ('charge', 'credit', 'refund')) <> (o.id is not null) or o.reseller_id <> w.reseller_id`,
  "a reference was used once a wallet": `
    select reseller_id, reference from ledger_entries where reference is not null group by 1, 2 having count(*) > 1`,
  "an approved top-up was credited once": `
    select t.id, t.state, count(e.id) from top_up_requests t
      join wallets w on w.reseller_id = t.reseller_id
      left join ledger_entries e on e.reseller_id = w.reseller_id and e.reference = t.reference and e.kind = 'top_up' and e.amount = t.credited_amount
     where t.state = 'approved' group by t.id, t.reseller_id having count(e.id) <> 1`,
  "what waits for an operation waits for an open one": `
    select l.id from licenses l join operations o on o.id = l.open_operation_id where o.state not in ('held', 'sent', 'unknown')
    union all
    select b.id from bundle_instances b join operations o on o.id = b.open_operation_id where o.state not in ('held', 'sent', 'unknown')`,
  "an operation that has ended holds no address": `
    select c.id from address_claims c join operations o on o.id = c.operation_id where o.state not in ('held', 'sent', 'unknown')`,
  "a term is auto-renewed once": `
    select plan #>> '{facts,renewsTerm}' from operations
     where state <> 'rejected' and plan #>> '{facts,renewsTerm}' is not null group by 1 having count(*) > 1`,
};

/** Violated invariants with their rows. */
export async function findBrokenInvariants(db: Database): Promise<Record<string, unknown[]>> {
  const broken: Record<string, unknown[]> = {};
  for (const name of await listBrokenInvariants(db)) {
    broken[name] = await db.query(sql(ledgerInvariants[name] ?? ""), []);
  }
  const operations = await db.query(sql<Parameters<typeof readPlan>[0]>("select id, kind, plan from operations"), []);
  for (const operation of operations) {
    try {
      readPlan(operation);
    } catch (error) {
      broken[`the plan of ${operation.kind} ${operation.id} can be read`] = [(error as Error).cause];
    }
  }
  return { ...broken, ...(await findUndocumentedEvents(db)) };
}

/** Events whose data is not as the API reference says (contract 4.1). */
async function findUndocumentedEvents(db: Database): Promise<Record<string, unknown[]>> {
  const events = await db.query(
    sql<{ kind: WebhookKind; data: unknown }>("select distinct kind, data from events"),
    [],
  );
  const problems = events.map(({ kind, data }) => ({
    kind,
    data,
    error: eventData[kind].safeParse(data).error?.issues,
  }));
  return Object.fromEntries(
    problems.filter(({ error }) => error).map((problem) => [`data of ${problem.kind}`, [problem]]),
  );
}

/** In one round trip. */
async function listBrokenInvariants(db: Database): Promise<string[]> {
  const names = Object.keys(ledgerInvariants);
  const checks = Object.values(ledgerInvariants).map(
    (query, place) => `select $${place + 1}::text as name where exists (${query})`,
  );
  const rows = await db.query(sql<{ name: string }>(checks.join(" union all ")), names);
  return rows.map(({ name }) => name);
}

export async function expectBooksToAgree(db: Database): Promise<void> {
  expect(await findBrokenInvariants(db)).toEqual({});
}
