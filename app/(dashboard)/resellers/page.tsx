import { Building2, Plus } from "lucide-react";
import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { ResellerTable } from "#components/reseller/reseller-table.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { ListCard } from "#components/ui/list-card.tsx";
import { loadSearch, onward, searchHref } from "#components/ui/list-params.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { SearchBar } from "#components/ui/search-bar.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { searchResellers } from "#lib/services/reseller/search.ts";

export const metadata: Metadata = { title: "Resellers" };

const PATHNAME = "/resellers";
const PAGE_SIZE = 50;

export default async function ResellersPage({ searchParams }: { readonly searchParams: Promise<SearchParams> }) {
  const [user, { q, before }] = await Promise.all([requireAdminUser("admin:read"), loadSearch(searchParams)]);
  const { resellers, nextBefore } = await searchResellers(contextOf(user), { text: q, before, limit: PAGE_SIZE });
  return (
    <>
      <PageHeader
        actions={
          <Allowed to="resellers:write">
            {" "}
            <ButtonLink href="/resellers/new" icon={<Plus aria-hidden className="size-4" />} variant="primary">
              Create reseller
            </ButtonLink>
          </Allowed>
        }
        title="Resellers"
      />
      <SearchBar label="Search resellers" placeholder="Name or email" />
      <ListCard
        count={resellers.length}
        empty={{
          icon: <Building2 aria-hidden />,
          title: "No resellers yet",
          description: "They sell your licenses on. Create the first one.",
        }}
        filter={q !== null && { clearHref: PATHNAME, none: "No reseller has this in its name or email address." }}
        pages={onward((before) => searchHref(PATHNAME, { q, before }), { at: before, next: nextBefore })}
      >
        <ResellerTable rows={resellers} />
      </ListCard>
    </>
  );
}
