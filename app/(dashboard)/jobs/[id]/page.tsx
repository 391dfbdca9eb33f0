import type { SearchParams } from "nuqs/server";
import { readBalance } from "#app/(dashboard)/actions.ts";
import { objectTitle } from "#app/(dashboard)/object-title.ts";
import { BulkJobPage } from "#components/bulk/bulk-job-view.tsx";
import { contextOf, may, requireResellerUser } from "#lib/dashboard/session.ts";
import { getBalance } from "#lib/services/wallet/balance.ts";
import { cancelJob, retryJob } from "./actions.ts";
import { findJob } from "./find.ts";
import { jobHref, loadJobParams, readJob } from "./read-job.ts";

export const generateMetadata = objectTitle(
  ({ id }: { id: string }) => findJob(id),
  ({ id }) => `Job ${id}`,
  "Job",
);

interface JobPageProps {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<SearchParams>;
}

export default async function JobPage({ params, searchParams }: JobPageProps) {
  const [user, { id }, view] = await Promise.all([
    requireResellerUser("licenses:read"),
    params,
    loadJobParams(searchParams),
  ]);
  const ctx = contextOf(user);
  const [initial, balance] = await Promise.all([
    readJob(ctx, await findJob(id), view),
    may(user, "wallet:read") ? getBalance(ctx) : null,
  ]);
  const search = jobHref(view);
  return (
    <BulkJobPage
      balance={balance}
      cancel={cancelJob}
      initial={initial}
      key={search}
      outcome={view.show}
      readBalance={readBalance}
      retry={retryJob}
      search={search}
    />
  );
}
