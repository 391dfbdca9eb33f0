import { RequestLog, requestLogScope } from "#app/(dashboard)/developers/request-log.tsx";
import type { PageProps } from "#app/page-props.ts";
import { loadRequestParams } from "#components/api-key/key-params.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { listApiKeys } from "#lib/services/api-key/list.ts";

export default async function RequestLogPage({ searchParams }: PageProps) {
  const [user, view] = await Promise.all([requireResellerUser("keys:read"), loadRequestParams(searchParams)]);
  const ctx = contextOf(user);
  const { rows: keys } = await listApiKeys(ctx);
  return (
    <>
      <PageHeader
        description={requestLogScope}
        title="Request log"
        trail={[{ label: "Developers", href: "/developers" }]}
      />
      <RequestLog
        apiKeyId={null}
        ctx={ctx}
        keys={keys.map(({ apiKeyId, name }) => ({ apiKeyId, name }))}
        path="/developers/requests"
        view={view}
      />
    </>
  );
}
