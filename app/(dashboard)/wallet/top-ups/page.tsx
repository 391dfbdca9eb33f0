import type { Metadata } from "next";
import { presentTopUp } from "#app/(dashboard)/wallet/present.ts";
import type { SearchParams } from "#app/search-params.ts";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { TopUpList } from "#components/wallet/top-up-list.tsx";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { listTopUps } from "#lib/services/wallet/list-top-up-requests.ts";
import { parseTopUpView, topUpsHref } from "./view.ts";

export const metadata: Metadata = { title: "Top-up requests" };

const PATHNAME = "/wallet/top-ups";
const PAGE_SIZE = 25;

export default async function OwnTopUpsPage({ searchParams }: { readonly searchParams: SearchParams }) {
  const [user, query] = await Promise.all([requireResellerUser(), searchParams]);
  const { state, before } = parseTopUpView(query, null);
  const page = await listTopUps(contextOf(user), { state: state ?? undefined, before, limit: PAGE_SIZE });
  return (
    <>
      <PageHeader
        actions={
          <ButtonLink href="/wallet?top-up" variant="primary">
            Request top-up
          </ButtonLink>
        }
        title="Top-up requests"
        trail={[{ label: "Wallet", href: "/wallet" }]}
      />
      <TopUpList
        empty={{
          title: state === null ? "No requests yet" : "Nothing found",
          description:
            state === null
              ? "After a payment, request its top-up: an administrator credits it."
              : "None of your requests is in this state.",
        }}
        hrefOf={(chosen) => topUpsHref(PATHNAME, chosen)}
        newestHref={before === null ? null : topUpsHref(PATHNAME, state)}
        nextHref={page.nextBefore === null ? null : topUpsHref(PATHNAME, state, page.nextBefore)}
        rows={page.requests.map(presentTopUp)}
        state={state}
      />
    </>
  );
}
