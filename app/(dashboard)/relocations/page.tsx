import { createLoader, parseAsString } from "nuqs/server";
import { toJobView } from "#app/(dashboard)/jobs/job-view.ts";
import type { PageProps } from "#app/page-props.ts";
import { BulkJobTable } from "#components/bulk/bulk-job-table.tsx";
import { AddressForm } from "#components/relocation/address-form.tsx";
import { DryRun } from "#components/relocation/dry-run.tsx";
import { arrangePlan } from "#components/relocation/relocation.ts";
import { Banner } from "#components/ui/banner.tsx";
import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import { listBulkJobs } from "#lib/services/bulk/list.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { versionOf } from "#lib/services/operation/seen-version.ts";
import type { RelocationParameters } from "#lib/services/relocation/parameters.ts";
import { planRelocation, type RelocationPlan } from "#lib/services/relocation/plan.ts";
import { listPlannedLicenses } from "#lib/services/relocation/start.ts";
import { start } from "./actions.ts";
import { readAddresses } from "./read-addresses.ts";

const RECENT = 5;

/** An empty field was sent, and is wrong; one that is not in the URL was not. */
const loadAddresses = createLoader({ from: parseAsString, to: parseAsString });

export default async function RelocationsPage({ searchParams }: PageProps) {
  const [user, { from, to }] = await Promise.all([requireResellerUser("licenses:write"), loadAddresses(searchParams)]);
  const ctx = contextOf(user);
  const asked = readAddresses(from, to);
  const [{ plan, refusal }, { rows: jobs }] = await Promise.all([
    planOrRefusal(ctx, asked.addresses),
    listBulkJobs(ctx, { kind: "relocate", before: null, limit: RECENT }),
  ]);
  return (
    <>
      <PageHeader
        description="When a server gets a new address, all its licenses and bundles move in one go, or none does. It is free."
        title="Relocations"
      />
      <div className="flex flex-col gap-5">
        <Card>
          <AddressForm
            again={plan !== null}
            from={asked.from}
            key={`${asked.from} ${asked.to}`}
            problems={asked.problems}
            to={asked.to}
          />
        </Card>
        {refusal !== null && <Banner title={refusal} tone="caution" />}
        {plan && (
          <DryRun
            plan={arrangePlan(plan, ctx.now())}
            start={start.bind(null, {
              from: plan.from,
              to: plan.to,
              seenVersion: versionOf(listPlannedLicenses(plan.units)),
            })}
          />
        )}
        {plan === null && jobs.length > 0 && (
          <Card flush title="Recent relocations">
            <BulkJobTable free jobs={jobs.map((job) => toJobView(job, null))} label="Recent relocations" />
          </Card>
        )}
      </div>
    </>
  );
}

/** Too many licenses on the address, or too many looks today (contract 1.12). */
async function planOrRefusal(
  ctx: ServiceContext,
  addresses: RelocationParameters | null,
): Promise<{ readonly plan: RelocationPlan | null; readonly refusal: string | null }> {
  try {
    return { plan: addresses && (await planRelocation(ctx, addresses)), refusal: null };
  } catch (error) {
    if (isDomainError(error)) return { plan: null, refusal: error.message };
    throw error;
  }
}
