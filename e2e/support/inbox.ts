import { randomBytes } from "node:crypto";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { CaseKind } from "#lib/domain/reconciliation.ts";
import { getRuntime } from "#lib/runtime.ts";
import { detectDrift } from "#lib/services/reconciliation/detect-drift.ts";
import { listCases } from "#lib/services/reconciliation/list-cases.ts";
import { sql } from "#tests/sql.ts";
import { type Reseller, systemContext } from "./world.ts";

/** A minute: with all that tests have left at the provider, a comparison takes a while on a busy machine. */
const COMPARE_TRIES = 240;
const TRY_AGAIN_MS = 250;

/** The sandbox provider forgets a license, as if it had lost its record. */
export async function forgetAtProvider(licenseKey: string): Promise<void> {
  await getRuntime().db.query(sql("delete from sandbox_provider_licenses where reference = $1"), [licenseKey]);
}

/** The sandbox provider holds a license at another address. */
export async function moveAtProvider(licenseKey: string, address: string): Promise<void> {
  await getRuntime().db.query(sql("update sandbox_provider_licenses set ip_address = $2 where reference = $1"), [
    licenseKey,
    address,
  ]);
}

/** The term of a license ends at the sandbox provider so many months later than it did there. */
export async function extendAtProvider(licenseKey: string, months: number): Promise<void> {
  await getRuntime().db.query(
    sql(
      "update sandbox_provider_licenses set expires_at = (expires_at at time zone 'UTC' + make_interval(months => $2)) at time zone 'UTC' where reference = $1",
    ),
    [licenseKey, months],
  );
}

/** The sandbox provider holds a license that nothing here knows. Returns its reference. */
export async function holdUnknownAtProvider(like: {
  readonly licenseKey: string;
  readonly address: string;
}): Promise<string> {
  const reference = `LIC-LOST-${randomBytes(6).toString("hex")}`;
  await getRuntime().db.query(
    sql(`insert into sandbox_provider_licenses (reference, product, ip_address, cores, expires_at, state)
           select $1, product, $3, cores, expires_at, 'active' from sandbox_provider_licenses where reference = $2`),
    [reference, like.licenseKey, like.address],
  );
  return reference;
}

/** Compares as the hourly job does. What another test compares at the same time is waited for. */
export async function compareBooks(): Promise<void> {
  for (let tries = 0; tries < COMPARE_TRIES; tries += 1) {
    const summaries = await detectDrift(systemContext());
    if (summaries.every(({ outcome }) => outcome !== "busy")) return;
    await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
  }
  throw new Error("the books are being compared all the time");
}

export async function findCaseId(resellerId: ResellerId, kind: CaseKind): Promise<number> {
  const { rows: cases } = await listCases(systemContext(), {
    filter: { resellerId, kind, resolved: false },
    before: null,
    after: null,
    limit: 1,
  });
  if (!cases[0]) throw new Error(`reseller ${resellerId} has no case ${kind}`);
  return cases[0].id;
}

export async function findUnknownCaseId(reference: string): Promise<number> {
  const [found] = await getRuntime().db.prisma.reconciliationCase.findMany({ where: { reference, resolvedAt: null } });
  if (!found) throw new Error(`no case about ${reference}`);
  return found.id;
}

/** One case of each kind that a provider's books can bring about without waiting, and an outcome unknown for hours. */
export async function furnishInbox(reseller: Reseller): Promise<void> {
  const missing = await reseller.newLicense();
  await forgetAtProvider(String(missing.license_key));
  const moved = await reseller.newLicense();
  await moveAtProvider(String(moved.license_key), "203.0.113.77");
  const pending = await reseller.newLicense({ ip: "192.0.2.20" });
  await getRuntime().db.query(
    sql(
      // A time more than a minute ahead is taken for that of a clock that was ahead.
      "update operations set created_at = created_at - interval '3 hours', ask_at = now() + interval '59 seconds' where license_id = $1",
    ),
    [pending.license_id],
  );
  await compareBooks();
}
