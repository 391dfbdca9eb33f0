import { ListChecks } from "lucide-react";
import type { Metadata } from "next";
import { BULK_PATHNAME, presentJob } from "#app/(dashboard)/licenses/bulk/present.ts";
import { hrefOf, type SearchParams, textOf } from "#app/search-params.ts";
import { BulkJobTable } from "#components/bulk/bulk-job-table.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { bulkKinds } from "#lib/domain/bulk.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { listBulkJobs } from "#lib/services/bulk/list.ts";

export const metadata: Metadata = { title: "Bulk changes" };

const PAGE_SIZE = 25;
/** Relocations have a list of their own. */
const kinds = bulkKinds.filter((kind) => kind !== "relocate");

export default async function BulkJobsPage({ searchParams }: { readonly searchParams: SearchParams }) {
  const [user, query] = await Promise.all([requireResellerUser(), searchParams]);
  const before = parsePositiveInteger(textOf(query.before));
  const { jobs, nextBefore } = await listBulkJobs(contextOf(user), { before, kinds, limit: PAGE_SIZE });
  return (
    <>
      <PageHeader
        description="What was done to many licenses or bundles at once. Results are kept for 90 days."
        title="Bulk changes"
        trail={[{ label: "Licenses", href: "/licenses" }]}
      />
      <Card flush>
        {jobs.length === 0 ? (
          <EmptyState
            action={<ButtonLink href="/licenses">Go to the licenses</ButtonLink>}
            description="Select licenses in their list, then renew, suspend or change all of them at once."
            icon={<ListChecks aria-hidden />}
            title="No bulk changes yet"
          />
        ) : (
          <BulkJobTable jobs={jobs.map((job) => presentJob(job, null))} />
        )}
        {(before !== null || nextBefore !== null) && (
          <Pagination
            nextHref={nextBefore === null ? null : hrefOf(BULK_PATHNAME, { before: nextBefore })}
            previousHref={before === null ? null : BULK_PATHNAME}
            summary={`${jobs.length} shown, newest first`}
          />
        )}
      </Card>
    </>
  );
}
