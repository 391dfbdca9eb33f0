import { Building2, Plus } from "lucide-react";
import type { Metadata } from "next";
import { presentReseller } from "#app/(dashboard)/resellers/present.ts";
import { hrefOf, type SearchParams, textOf } from "#app/search-params.ts";
import { ResellerTable } from "#components/reseller/reseller-table.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ListSearch } from "#components/ui/list-search.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { searchResellers } from "#lib/services/reseller/search.ts";

export const metadata: Metadata = { title: "Resellers" };

const PATHNAME = "/resellers";
const PAGE_SIZE = 50;
const MAX_SEARCH_LENGTH = 200;

export default async function ResellersPage({ searchParams }: { readonly searchParams: SearchParams }) {
  const [user, query] = await Promise.all([requireAdminUser(), searchParams]);
  const q = textOf(query.q)?.slice(0, MAX_SEARCH_LENGTH) ?? null;
  const before = parsePositiveInteger(textOf(query.before));
  const page = await searchResellers(contextOf(user), { text: q, before, limit: PAGE_SIZE });
  const empty =
    before !== null
      ? {
          title: "There is nothing on this page",
          action: <ButtonLink href={hrefOf(PATHNAME, { q })}>Show the newest</ButtonLink>,
        }
      : q === null
        ? { title: "No resellers yet", description: "They sell your licenses on. Create the first one." }
        : {
            title: "Nothing found",
            description: "No reseller has this in its name or email address.",
            action: <ButtonLink href={PATHNAME}>Clear filters</ButtonLink>,
          };
  return (
    <>
      <PageHeader
        actions={
          <ButtonLink href="/resellers/new" icon={<Plus aria-hidden className="size-4" />} variant="primary">
            Create reseller
          </ButtonLink>
        }
        title="Resellers"
      />
      <ListSearch label="Search resellers" placeholder="Name or email" q={q ?? ""} />
      <Card flush>
        {page.resellers.length === 0 ? (
          <EmptyState {...empty} icon={<Building2 aria-hidden />} />
        ) : (
          <ResellerTable rows={page.resellers.map(presentReseller)} />
        )}
        <Pagination
          nextHref={page.nextBefore === null ? null : hrefOf(PATHNAME, { q, before: page.nextBefore })}
          firstHref={before === null ? null : hrefOf(PATHNAME, { q, before: null })}
          summary={`${page.resellers.length} shown, newest first`}
        />
      </Card>
    </>
  );
}
