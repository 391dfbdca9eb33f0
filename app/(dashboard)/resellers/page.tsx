import { Building2, Plus } from "lucide-react";
import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { ResellerTable } from "#components/reseller/reseller-table.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { loadSearch, onward, searchHref } from "#components/ui/list-params.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { SearchBar } from "#components/ui/search-bar.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { searchResellers } from "#lib/services/reseller/search.ts";

export const metadata: Metadata = { title: "Resellers" };

const PATHNAME = "/resellers";
const PAGE_SIZE = 50;

export default async function ResellersPage({ searchParams }: { readonly searchParams: Promise<SearchParams> }) {
  const [user, { q, before }] = await Promise.all([requireAdminUser(), loadSearch(searchParams)]);
  const page = await searchResellers(contextOf(user), { text: q, before, limit: PAGE_SIZE });
  const empty =
    before !== null
      ? {
          title: "There is nothing on this page",
          action: <ButtonLink href={searchHref(PATHNAME, { q })}>Show the newest</ButtonLink>,
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
      <SearchBar label="Search resellers" placeholder="Name or email" />
      <Card flush>
        {page.resellers.length === 0 ? (
          <EmptyState {...empty} icon={<Building2 aria-hidden />} />
        ) : (
          <ResellerTable rows={page.resellers} />
        )}
        <Pagination
          {...onward((before) => searchHref(PATHNAME, { q, before }), { at: before, next: page.nextBefore })}
          summary={`${page.resellers.length} shown, newest first`}
        />
      </Card>
    </>
  );
}
