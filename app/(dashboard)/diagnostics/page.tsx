import { SearchX } from "lucide-react";
import { SavedViews } from "#app/(dashboard)/views/saved-views.tsx";
import type { PageProps } from "#app/page-props.ts";
import { ServerFilters } from "#components/diagnostics/server-filters.tsx";
import { loadServerParams, serverListHref } from "#components/diagnostics/server-params.ts";
import { NoServers, ServerTable } from "#components/diagnostics/server-table.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { ListCard } from "#components/ui/list-card.tsx";
import { given, isFiltered } from "#components/ui/list-params.ts";
import { noneOf } from "#components/ui/no-match.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { failedChecks } from "#lib/domain/server-checks.ts";
import { checksOf } from "#lib/services/diagnostics/get-server.ts";
import { listServers } from "#lib/services/diagnostics/list-servers.ts";

const PATHNAME = "/diagnostics";

export default async function DiagnosticsPage({ searchParams }: PageProps) {
  const [user, view] = await Promise.all([requireResellerUser("diagnostics:read"), loadServerParams(searchParams)]);
  const ctx = contextOf(user);
  const { q, problem, after } = view;
  const page = await listServers(ctx, {
    filter: given({ text: q, problem }),
    after,
    before: after === null ? view.before : null,
  });
  const { next, previous } = page;
  const rows = page.rows.map((server) => ({ ...server, problems: failedChecks(checksOf(server, ctx.now())) }));
  const untouched = rows.length === 0 && !isFiltered(view) && after === null;
  return (
    <>
      <PageHeader
        actions={!untouched && <SavedViews href={serverListHref(view)} list="servers" user={user} />}
        title="Diagnostics"
      />
      {untouched ? (
        <NoServers />
      ) : (
        <>
          <ServerFilters />
          <ListCard
            empty={{
              action: <ButtonLink href={PATHNAME}>Show the worst</ButtonLink>,
              icon: <SearchX />,
              title: "There is nothing on this page",
            }}
            filter={{
              view,
              clearHref: PATHNAME,
              title: "No server matches",
              none: noneOf(q, "The search looks at any part of a host name or address."),
            }}
            head={
              <p className="sr-only" role="status">
                {rows.length === 1 ? "1 server shown" : `${rows.length} servers shown`}
              </p>
            }
            order="worst first"
            page={page}
            pages={{
              nextHref: next && serverListHref(PATHNAME, { ...view, after: next, before: null }),
              previousHref: previous && serverListHref(PATHNAME, { ...view, after: null, before: previous }),
            }}
          >
            <ServerTable rows={rows} />
          </ListCard>
        </>
      )}
    </>
  );
}
