import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { presentServer } from "#app/(dashboard)/diagnostics/present.ts";
import { filterOf, isFiltered, pageHref, parseView } from "#app/(dashboard)/diagnostics/view.ts";
import type { SearchParams } from "#app/search-params.ts";
import { ServerFilters } from "#components/diagnostics/server-filters.tsx";
import { NoServerFound, NoServers } from "#components/diagnostics/server-list-empty.tsx";
import { ServerTable } from "#components/diagnostics/server-table.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { publicOrigin } from "#lib/dashboard/public-url.ts";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { listServers } from "#lib/services/diagnostics/list-servers.ts";

export const metadata: Metadata = { title: "Diagnostics" };

const PAGE_SIZE = 50;

export default async function DiagnosticsPage({ searchParams }: { readonly searchParams: SearchParams }) {
  const [user, query] = await Promise.all([requireResellerUser(), searchParams]);
  const ctx = contextOf(user);
  const view = parseView(query);
  const { after, before } = view;
  const { servers, nextAfter, previousBefore } = await listServers(ctx, {
    filter: filterOf(view),
    after,
    before,
    limit: PAGE_SIZE,
  });
  const rows = servers.map((server) => presentServer(server, ctx.now()));
  const untouched = rows.length === 0 && !isFiltered(view) && after === null;
  return (
    <>
      <PageHeader
        actions={
          !untouched && (
            <ButtonLink href="/diagnostics/install" icon={<Plus aria-hidden className="size-4" />}>
              Install the agent
            </ButtonLink>
          )
        }
        title="Diagnostics"
      />
      {untouched ? (
        <NoServers origin={publicOrigin()} />
      ) : (
        <>
          <ServerFilters problem={view.problem} q={view.q ?? ""} />
          <Card flush>
            <p className="sr-only" role="status">
              {rows.length === 1 ? "1 server shown" : `${rows.length} servers shown`}
            </p>
            {rows.length === 0 ? <NoServerFound filtered={isFiltered(view)} /> : <ServerTable rows={rows} />}
            <Pagination
              nextHref={nextAfter === null ? null : pageHref(view, { after: nextAfter })}
              previousHref={previousBefore === null ? null : pageHref(view, { before: previousBefore })}
              summary={`${rows.length} shown, worst first`}
            />
          </Card>
        </>
      )}
    </>
  );
}
