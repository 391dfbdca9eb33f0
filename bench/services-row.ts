/** What programs and the dashboard call besides verify and register, with 100,000 licenses, without HTTP. */
import type { UserId } from "#lib/domain/ids.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";
import { closeRuntime, getRuntime } from "#lib/runtime.ts";
import { quoteLicenseBulk } from "#lib/services/bulk/quote-licenses.ts";
import { runBulkJob } from "#lib/services/bulk/run.ts";
import { startLicenseBulk } from "#lib/services/bulk/start-licenses.ts";
import { listLicenses } from "#lib/services/license/list.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { getLicenseStatus } from "#lib/services/license/status.ts";
import { getOverview } from "#lib/services/overview/get.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { sql } from "#tests/sql.ts";
import { seedLarge } from "../scripts/large-seed/seed.ts";
import { startBenchDatabase } from "./database.ts";
import { keyContext, operator } from "./register-versions.ts";
import type { RowReport } from "./report.ts";
import { type Contender, closedLoop, compare, measureInTurn, roundsText, summarize } from "./rounds.ts";

const LICENSES = 100_000;
const CLIENTS = 16;
const POOL_SIZE = 16;
const JOB_ITEMS = 500;
const SAMPLE = 2_000;

export async function runServicesRow(log: (line: string) => void): Promise<RowReport> {
  const cleanups: (() => Promise<unknown>)[] = [];
  try {
    log(`Creating a database with ${LICENSES} licenses.`);
    const database = await startBenchDatabase(POOL_SIZE);
    cleanups.push(database.stop);
    Object.assign(process.env, database.environment);
    cleanups.push(() => closeRuntime());
    const options = { databaseUrl: database.environment.DATABASE_URL ?? "", licenses: LICENSES, resellers: 12, log };
    const { resellerId } = await seedLarge(operator(), options);
    await topUpWallet(operator(), { resellerId, amount: "900000.00", note: "Benchmark" });
    const licenses = await getRuntime().db.query(
      sql<{ id: number; licenseKey: LicenseKey }>(
        `select l.id, l.key as "licenseKey" from licenses l join billing_cycles c on c.id = l.cycle_id
          where l.reseller_id = $1 and l.bundle_instance_id is null and l.terminated_at is null and c.months = 1
          order by md5(l.key) limit ${SAMPLE}`,
      ),
      [resellerId],
    );
    const key = keyContext(resellerId);
    const user = getRuntime().contextFor(
      { kind: "reseller_user", userId: 0 as UserId, resellerId, role: "owner" },
      { requestId: "bench" },
    );
    let turn = 0;
    const next = () => {
      turn += 1;
      return licenses[turn % licenses.length] as (typeof licenses)[number];
    };
    const page = { order: "newest", after: null, limit: 100 } as const;
    const bulk: Contender = {
      name: `renewals in jobs of ${JOB_ITEMS}`,
      async measure(seconds) {
        const startedAt = performance.now();
        let items = 0;
        for (; performance.now() - startedAt < seconds * 1_000; items += JOB_ITEMS) {
          const licenseIds = Array.from({ length: JOB_ITEMS }, () => next().id);
          const input = { change: { kind: "renew" }, selection: { licenseIds } } as const;
          const { count, total } = await quoteLicenseBulk(user, input);
          const { jobId } = await startLicenseBulk(user, { ...input, agreed: { count, total } });
          while (!(await runBulkJob(operator(), { jobId }))?.ended);
        }
        const elapsedMs = performance.now() - startedAt;
        return { perSecond: (1_000 * items) / elapsedMs, p50Ms: elapsedMs / items, p99Ms: Number.NaN };
      },
    };
    const measured = await measureInTurn(
      [
        closedLoop("status by key", CLIENTS, () => getLicenseStatus(key, { licenseKey: next().licenseKey })),
        closedLoop("renew", CLIENTS, () => renewLicense(key, { licenseId: next().id })),
        bulk,
        closedLoop("list, 100 licenses", CLIENTS, () => listLicenses(key, { ...page, filter: {} })),
        closedLoop("search, web12", CLIENTS, () => listLicenses(key, { ...page, filter: { text: "web12" } })),
        closedLoop("overview", CLIENTS, () => getOverview(user)),
      ],
      log,
    );
    const [, renew, inJobs] = measured;
    return {
      row: "services",
      setting: `${LICENSES} licenses, ${CLIENTS} clients, pool of ${POOL_SIZE}, ${roundsText}`,
      budgets: [compare("renewals in jobs ÷ renewals", [inJobs, renew], { comparison: "at least", limit: 0.7 })],
      contenders: measured.map(summarize),
      checks: [],
    };
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}
