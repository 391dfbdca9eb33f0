import { ListChecks } from "lucide-react";
import { toJobView } from "#app/(dashboard)/jobs/job-view.ts";
import type { PageProps } from "#app/page-props.ts";
import { BulkJobTable } from "#components/bulk/bulk-job-table.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { ListCard } from "#components/ui/list-card.tsx";
import { loadSearch, onward, searchHref } from "#components/ui/list-params.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireUserWith } from "#lib/dashboard/session.ts";
import { listAllBulkJobs, listBulkJobs } from "#lib/services/bulk/list.ts";

const PATHNAME = "/jobs";
const PAGE_SIZE = 25;

export default async function JobsPage({ searchParams }: PageProps) {
  const [user, { before }] = await Promise.all([requireUserWith("licenses:read"), loadSearch(searchParams)]);
  const across = user.kind === "admin";
  const list = across ? listAllBulkJobs : listBulkJobs;
  const page = await list(contextOf(user), { before, limit: PAGE_SIZE });
  return (
    <>
      <PageHeader
        description="Changes of many licenses or bundles at once, imports and relocations. Results are kept for 90 days."
        title="Jobs"
      />
      <ListCard
        empty={{
          action: <ButtonLink href="/licenses">Go to Licenses</ButtonLink>,
          description: "Select licenses in their list, then renew, suspend or change all of them at once.",
          icon: <ListChecks />,
          title: "No jobs yet",
        }}
        page={page}
        pages={onward((before) => searchHref(PATHNAME, { before }), before, page.next)}
      >
        <BulkJobTable jobs={page.rows.map((job) => toJobView(job, null))} resellers={across} />
      </ListCard>
    </>
  );
}
