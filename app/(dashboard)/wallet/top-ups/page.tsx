import { redirect } from "next/navigation";
import type { PageProps } from "#app/page-props.ts";
import { CreateLink } from "#components/shell/create-link.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { TopUpList } from "#components/wallet/top-up-list.tsx";
import { loadTopUpParams } from "#components/wallet/top-up-params.ts";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { listTopUps } from "#lib/services/wallet/list-top-up-requests.ts";

const PATHNAME = "/wallet/top-ups";
const PAGE_SIZE = 25;

export default async function OwnTopUpsPage({ searchParams }: PageProps) {
  const [user, view] = await Promise.all([requireResellerUser("wallet:read"), loadTopUpParams(searchParams)]);
  const { before } = view;
  const state = view.state === "any" ? null : view.state;
  if (user.liveResellerId !== null) redirect("/test-mode");
  const page = await listTopUps(contextOf(user), { state: state ?? undefined, before, limit: PAGE_SIZE });
  return (
    <>
      <PageHeader
        actions={
          <CreateLink href="/wallet?top-up" to="wallet:write">
            Request top-up
          </CreateLink>
        }
        title="Top-up requests"
        trail={[{ label: "Wallet", href: "/wallet" }]}
      />
      <TopUpList
        before={before}
        empty={{
          title: "No requests yet",
          description: "After a payment, request its top-up: an administrator credits it.",
        }}
        filtered={state !== null}
        page={page}
        path={PATHNAME}
        state={state}
      />
    </>
  );
}
