import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { SearchParams } from "#app/search-params.ts";
import { BulkJobPage } from "#components/bulk/bulk-job-view.tsx";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { cancelJob, retryJob } from "./actions.ts";
import { parseView, readJob, searchOf } from "./read-job.ts";

export const metadata: Metadata = { title: "Bulk change" };

interface JobPageProps {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: SearchParams;
}

export default async function JobPage({ params, searchParams }: JobPageProps) {
  const [user, { id }, query] = await Promise.all([requireResellerUser(), params, searchParams]);
  const view = parseView(query);
  const initial = await readJob(contextOf(user), parsePositiveInteger(id) ?? 0, view).catch((error) => {
    if (isDomainError(error) && error.code === "not_found") notFound();
    throw error;
  });
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
