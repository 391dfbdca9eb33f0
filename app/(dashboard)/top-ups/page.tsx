import type { Metadata } from "next";
import { parseTopUpView, topUpsHref } from "#app/(dashboard)/wallet/top-ups/view.ts";
import type { SearchParams } from "#app/search-params.ts";
import { DecideTopUp } from "#components/reseller/decide-top-up.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { TopUpList } from "#components/wallet/top-up-list.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { listTopUps } from "#lib/services/wallet/list-top-up-requests.ts";
import { decide } from "./actions.ts";
import { presentDecidable } from "./present.ts";

export const metadata: Metadata = { title: "Top-ups" };

const PATHNAME = "/top-ups";
const PAGE_SIZE = 25;

export default async function TopUpInboxPage({ searchParams }: { readonly searchParams: SearchParams }) {
  const [user, query] = await Promise.all([requireAdminUser(), searchParams]);
  const { state, before } = parseTopUpView(query, "requested");
  const page = await listTopUps(contextOf(user), { state: state ?? undefined, before, limit: PAGE_SIZE });
  const requests = new Map(page.requests.map((request) => [request.id, presentDecidable(request)]));
  return (
    <>
      <PageHeader description="Payments that resellers have reported." title="Top-ups" />
      <TopUpList
        empty={
          state === "requested"
            ? { title: "Nothing is waiting", description: "When a reseller reports a payment, it appears here." }
            : { title: "Nothing found", description: "No request is in this state." }
        }
        hrefOf={(chosen) => topUpsHref(PATHNAME, chosen)}
        newestHref={before === null ? null : topUpsHref(PATHNAME, state)}
        nextHref={page.nextBefore === null ? null : topUpsHref(PATHNAME, state, page.nextBefore)}
        renderAction={({ id }) => {
          const request = requests.get(id);
          return request?.state === "requested" && <DecideTopUp action={decide} request={request} />;
        }}
        rows={[...requests.values()]}
        state={state}
      />
    </>
  );
}
