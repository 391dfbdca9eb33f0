import { Settings } from "lucide-react";
import type { PageProps } from "#app/page-props.ts";
import { DecideTopUp } from "#components/reseller/decide-top-up.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { TopUpList } from "#components/wallet/top-up-list.tsx";
import { loadTopUpParams } from "#components/wallet/top-up-params.ts";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { listTopUps } from "#lib/services/wallet/list-top-up-requests.ts";
import { decide } from "./actions.ts";

const PATHNAME = "/top-ups";
const PAGE_SIZE = 25;

export default async function TopUpInboxPage({ searchParams }: PageProps) {
  const [user, view] = await Promise.all([requireAdminUser("admin:read"), loadTopUpParams(searchParams)]);
  const { before } = view;
  const state = view.state === "any" ? null : (view.state ?? "requested");
  const page = await listTopUps(contextOf(user), { state: state ?? undefined, before, limit: PAGE_SIZE });
  return (
    <>
      <PageHeader
        description="Payments that resellers have reported."
        links={[
          {
            href: `${PATHNAME}/settings`,
            icon: <Settings />,
            label: "Payment settings",
          },
        ]}
        title="Top-ups"
      />
      <TopUpList
        before={before}
        empty={{
          title: state === "requested" ? "Nothing is waiting" : "No requests yet",
          description: "When a reseller reports a payment, it appears here.",
        }}
        filtered={state === "approved" || state === "declined"}
        page={page}
        path={PATHNAME}
        renderAction={(request) =>
          request.state === "requested" && (
            <Allowed to="money:move">
              <DecideTopUp action={decide} request={request} />
            </Allowed>
          )
        }
        state={state}
      />
    </>
  );
}
