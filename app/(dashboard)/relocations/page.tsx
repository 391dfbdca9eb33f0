import { ArrowRightLeft } from "lucide-react";
import type { Metadata } from "next";
import { presentJob } from "#app/(dashboard)/licenses/bulk/present.ts";
import { hrefOf, type SearchParams, textOf } from "#app/search-params.ts";
import { RelocationTable } from "#components/relocation/relocation-table.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { listBulkJobs } from "#lib/services/bulk/list.ts";

export const metadata: Metadata = { title: "Relocations" };

const PATHNAME = "/relocations";
const PAGE_SIZE = 25;

export default async function RelocationsPage({ searchParams }: { readonly searchParams: SearchParams }) {
  const [user, query] = await Promise.all([requireResellerUser(), searchParams]);
  const before = parsePositiveInteger(textOf(query.before));
  const page = { before, kinds: ["relocate"], limit: PAGE_SIZE } as const;
  const { jobs, nextBefore } = await listBulkJobs(contextOf(user), page);
  const begin = (
    <ButtonLink href="/relocations/new" variant="primary">
      Move a server
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        actions={jobs.length > 0 && begin}
        description="Everything on one address moved to another. Results are kept for 90 days."
        title="Relocations"
      />
      <Card flush>
        {jobs.length === 0 ? (
          <EmptyState
            action={before === null ? begin : <ButtonLink href={PATHNAME}>Show the newest</ButtonLink>}
            description="When a server gets a new address, all its licenses and bundles move in one go, or none does. It is free."
            icon={<ArrowRightLeft aria-hidden />}
            title={before === null ? "No relocations yet" : "There is nothing on this page"}
          />
        ) : (
          <RelocationTable relocations={jobs.map((job) => presentJob(job, null))} />
        )}
        {(before !== null || nextBefore !== null) && (
          <Pagination
            nextHref={nextBefore === null ? null : hrefOf(PATHNAME, { before: nextBefore })}
            previousHref={before === null ? null : PATHNAME}
            summary={`${jobs.length} shown, newest first`}
          />
        )}
      </Card>
    </>
  );
}
