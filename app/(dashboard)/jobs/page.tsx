import { ListChecks } from "lucide-react";
import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { toJobView } from "#app/(dashboard)/jobs/job-view.ts";
import { BulkJobTable } from "#components/bulk/bulk-job-table.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { loadSearch, onward, searchHref } from "#components/ui/list-params.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { listBulkJobs } from "#lib/services/bulk/list.ts";

export const metadata: Metadata = { title: "Jobs" };

const PATHNAME = "/jobs";
const PAGE_SIZE = 25;

export default async function JobsPage({ searchParams }: { readonly searchParams: Promise<SearchParams> }) {
  const [user, { before }] = await Promise.all([requireResellerUser(), loadSearch(searchParams)]);
  const { jobs, nextBefore } = await listBulkJobs(contextOf(user), { before, limit: PAGE_SIZE });
  return (
    <>
      <PageHeader
        description="Changes of many licenses or bundles at once, imports and relocations. Results are kept for 90 days."
        title="Jobs"
      />
      <Card flush>
        {jobs.length === 0 ? (
          <EmptyState
            action={<ButtonLink href="/licenses">Go to the licenses</ButtonLink>}
            description="Select licenses in their list, then renew, suspend or change all of them at once."
            icon={<ListChecks aria-hidden />}
            title="No jobs yet"
          />
        ) : (
          <BulkJobTable jobs={jobs.map((job) => toJobView(job, null))} />
        )}
        <Pagination
          {...onward((before) => searchHref(PATHNAME, { before }), { at: before, next: nextBefore })}
          summary={`${jobs.length} shown, newest first`}
        />
      </Card>
    </>
  );
}
