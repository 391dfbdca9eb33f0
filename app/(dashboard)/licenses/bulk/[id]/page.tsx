import type { Metadata } from "next";
import type { SearchParams } from "#app/search-params.ts";
import { BulkJobPage } from "#components/bulk/bulk-job-view.tsx";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { cancelJob, retryJob } from "./actions.ts";
import { findJob } from "./find.ts";
import { parseView, readJob, searchOf } from "./read-job.ts";

export const metadata: Metadata = { title: "Bulk change" };

interface JobPageProps {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: SearchParams;
}

export default async function JobPage({ params, searchParams }: JobPageProps) {
  const [user, { id }, query] = await Promise.all([requireResellerUser(), params, searchParams]);
  const view = parseView(query);
  const initial = await readJob(contextOf(user), await findJob(id), view);
  const search = searchOf(view);
  return (
    <BulkJobPage
      cancel={cancelJob}
      initial={initial}
      key={search}
      outcome={view.show}
      retry={retryJob}
      search={search}
    />
  );
}
