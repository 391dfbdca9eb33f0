/** Real situations of the reconciliation inbox, and the assertions after every action. */
import { expect } from "vitest";
import type { CaseAction, CaseKind } from "#lib/domain/reconciliation.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { terminateLicense } from "#lib/services/license/terminate.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { actOnCase } from "#lib/services/reconciliation/act.ts";
import { detectDrift } from "#lib/services/reconciliation/detect-drift.ts";
import { getCase } from "#lib/services/reconciliation/get-case.ts";
import { listCases } from "#lib/services/reconciliation/list-cases.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "./actors.ts";
import { clearRehearsed, placeLicense, rehearsed } from "./faults.ts";
import { expectBooksToAgree } from "./invariants.ts";
import type { RegisterOptions, ResellerWorld } from "./reseller.ts";
import { INBOX_AFTER_MS, type World } from "./world.ts";

/** Minor units: the monthly price of a control panel, and the balance of a test's reseller. */
export const PRICE = 1450n;
export const FUNDS = 100_000n;
export const REASON = "as agreed by telephone";

export type Inbox = ReturnType<typeof createInbox>;

export function createInbox(world: World) {
  let reseller: ResellerWorld;
  const { db } = world;
  const admin = () => world.context(actors.admin(null));

  async function compare() {
    world.advance(1_000);
    const [summary] = await detectDrift(world.operator);
    return summary;
  }

  /** To a day of the next month that every month has, so that ends shifted by months keep their day. */
  function enterMidMonth() {
    const now = world.now();
    world.setClock(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 10, 12)));
  }

  async function openCases() {
    const { rows: cases } = await listCases(admin(), {
      filter: { resolved: false },
      before: null,
      after: null,
      limit: 100,
    });
    return cases;
  }

  /** The only case that a comparison opens. */
  async function theCase(kind: CaseKind) {
    await compare();
    const cases = await openCases();
    expect(cases.map((found) => found.kind)).toEqual([kind]);
    return getCase(admin(), { caseId: cases[0]?.id ?? 0 });
  }

  async function act(caseId: number, action: CaseAction, reason = REASON) {
    world.advance(1_000);
    return actOnCase(admin(), { caseId, action, reason });
  }

  const editBooks = (text: string, values: readonly unknown[]) => db.query(sql(text), values);
  const forget = (key: string) => editBooks("delete from sandbox_provider_licenses where reference = $1", [key]);
  const move = (key: string, address: string) =>
    editBooks("update sandbox_provider_licenses set ip_address = $2 where reference = $1", [key, address]);
  /** The provider holds a license like ours, or one that is not ours: a control panel for 30 days. */
  const hold = (key: string, address: string) =>
    editBooks(
      `with ours as (
         select product_id, cores, expires_at from licenses where key = $1
         union all
         select (license ->> 'product_id')::int, (license ->> 'cores')::int, ends_at from discarded_registrations where license_key = $1
       )
       insert into sandbox_provider_licenses (reference, product, ip_address, cores, expires_at, state)
       select $1, coalesce(p.provider_sku, 'control-panel'), $2, ours.cores, coalesce(ours.expires_at, $3), 'active'
         from (select) always left join ours on true left join products p on p.id = ours.product_id
       on conflict (reference) do update set state = 'active', ip_address = excluded.ip_address`,
      [key, address, new Date(world.now().getTime() + 30 * 86_400_000)],
    );
  const endTerm = (key: string, months: number) =>
    editBooks(
      `update sandbox_provider_licenses
          set expires_at = (expires_at at time zone 'UTC' + make_interval(months => $2)) at time zone 'UTC' where reference = $1`,
      [key, months],
    );

  /** The ledger adds up, the case is closed with its reason, and the next comparison does not reopen it. */
  async function expectDone(caseId: number, resolution: string, following: readonly CaseKind[] = []) {
    await expectBooksToAgree(db);
    await compare();
    const { details, history } = await getCase(admin(), { caseId });
    expect(details).toMatchObject({ resolution });
    expect(history[0]).toMatchObject({ actor: "user:2", reason: REASON });
    expect((await openCases()).map(({ kind }) => kind)).toEqual(following);
  }

  async function refuseWhatWasLost() {
    world.advance(60_000);
    await reconcileOperations(world.operator, { early: true });
  }

  const situations = {
    async unknown_outcome() {
      await reseller.register({ ip: rehearsed.losesAnswer });
      world.advance(INBOX_AFTER_MS);
      return theCase("unknown_outcome");
    },
    async charged_not_provisioned() {
      const { licenseKey } = await reseller.register();
      await forget(licenseKey);
      return theCase("charged_not_provisioned");
    },
    async provisioned_not_charged(order: RegisterOptions = {}) {
      const { licenseKey, licenseId } = await reseller.register(order);
      await forget(licenseKey);
      const found = await theCase("charged_not_provisioned");
      await act(found.details.id, "refund");
      await hold(licenseKey, (await reseller.license(licenseId)).ipAddress);
      return theCase("provisioned_not_charged");
    },
    async unknown_at_ours() {
      const address = world.freshIp();
      await hold(`LIC-lost with ${address}`, address);
      return theCase("unknown_at_ours");
    },
    async late_success(order: RegisterOptions = {}) {
      const { licenseKey } = await reseller.register({ ...order, ip: rehearsed.losesRequest });
      await refuseWhatWasLost();
      expect(await reseller.entries()).toEqual([FUNDS]);
      await hold(licenseKey, rehearsed.losesRequest);
      return theCase("late_success");
    },
    async differs() {
      const { licenseKey } = await reseller.register();
      await editBooks(
        "update sandbox_provider_licenses set ip_address = $2, state = 'suspended' where reference = $1",
        [licenseKey, world.freshIp()],
      );
      return theCase("differs");
    },
  } satisfies Record<CaseKind, () => ReturnType<typeof getCase>>;

  /** A license whose term at the provider differs by this many months. */
  async function otherTerm(months: number) {
    const { licenseId, licenseKey } = await reseller.register();
    if (months < 0) {
      world.advance(1_000);
      await renewLicense(reseller.context(), { licenseId });
    }
    await endTerm(licenseKey, months);
    return theCase("differs");
  }

  /** A termination that was taken as rejected, and succeeded later. */
  async function lateTermination() {
    const { licenseId, licenseKey } = await reseller.register();
    const { ipAddress } = await reseller.license(licenseId);
    await placeLicense(world, licenseId, rehearsed.losesRequest);
    world.advance(1_000);
    await terminateLicense(world.context(actors.user(reseller.id)), { licenseId });
    await refuseWhatWasLost();
    await placeLicense(world, licenseId, ipAddress);
    await editBooks("update sandbox_provider_licenses set state = 'terminated' where reference = $1", [licenseKey]);
    return theCase("late_success");
  }

  /** Situations for actions that the kind's usual situation does not offer. */
  const special: Partial<Record<`${CaseKind} ${CaseAction}`, () => ReturnType<typeof getCase>>> = {
    "differs charge": () => otherTerm(1),
    "differs refund": () => otherTerm(-1),
    "late_success refund": lateTermination,
    async "late_success correct"() {
      const { details } = await situations.late_success();
      // The sandbox would lose this request, too.
      await move(details.reference, world.freshIp());
      return theCase("late_success");
    },
  };

  return {
    situationFor: (kind: CaseKind, action: CaseAction) => (special[`${kind} ${action}`] ?? situations[kind])(),
    otherTerm,
    lateTermination,
    endTerm,
    admin,
    compare,
    enterMidMonth,
    openCases,
    theCase,
    act,
    editBooks,
    forget,
    move,
    hold,
    expectDone,
    refuseWhatWasLost,
    situations,
    /** Starts without differences, with a new reseller that has money. */
    async begin(): Promise<ResellerWorld> {
      await clearRehearsed(world);
      await editBooks("delete from sandbox_provider_licenses", []);
      await editBooks("update licenses set terminated_at = now(), expires_at = now(), anchored_at = '2000-01-01'", []);
      await refuseWhatWasLost();
      await compare();
      reseller = await world.reseller();
      return reseller;
    },
  };
}
