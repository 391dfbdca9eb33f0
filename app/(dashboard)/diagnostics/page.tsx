import { Plus } from "lucide-react";
import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { ServerFilters } from "#components/diagnostics/server-filters.tsx";
import { NoServerFound, NoServers } from "#components/diagnostics/server-list-empty.tsx";
import { loadServerParams, serverListHref } from "#components/diagnostics/server-params.ts";
import { ServerTable } from "#components/diagnostics/server-table.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { given, isFiltered } from "#components/ui/list-params.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { publicOrigin } from "#lib/dashboard/public-url.ts";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { failedChecks } from "#lib/domain/server-checks.ts";
import { checksOf } from "#lib/services/diagnostics/get-server.ts";
import { listServers } from "#lib/services/diagnostics/list-servers.ts";

export const metadata: Metadata = { title: "Diagnostics" };

const PATHNAME = "/diagnostics";
const PAGE_SIZE = 50;

export default async function DiagnosticsPage({ searchParams }: { readonly searchParams: Promise<SearchParams> }) {
  const [user, view] = await Promise.all([requireResellerUser(), loadServerParams(searchParams)]);
  const ctx = contextOf(user);
  const { q, problem, after } = view;
  const { servers, nextAfter, previousBefore } = await listServers(ctx, {
    filter: given({ text: q, problem }),
    after,
    before: after === null ? view.before : null,
    limit: PAGE_SIZE,
  });
  const rows = servers.map((server) => ({ ...server, problems: failedChecks(checksOf(server, ctx.now())) }));
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
          <ServerFilters />
          <Card flush>
            <p className="sr-only" role="status">
              {rows.length === 1 ? "1 server shown" : `${rows.length} servers shown`}
            </p>
            {rows.length === 0 ? <NoServerFound filtered={isFiltered(view)} /> : <ServerTable rows={rows} />}
            <Pagination
              nextHref={nextAfter && serverListHref(PATHNAME, { ...view, after: nextAfter, before: null })}
              previousHref={
                previousBefore && serverListHref(PATHNAME, { ...view, after: null, before: previousBefore })
              }
              summary={`${rows.length} shown, worst first`}
            />
          </Card>
        </>
      )}
    </>
  );
}
