import { Suspense } from "react";
import { CheckList } from "#components/diagnostics/check-list.tsx";
import { Card } from "#components/ui/card.tsx";
import type { Ipv4 } from "#lib/domain/ipv4.ts";
import { type Check, checkName } from "#lib/domain/server-checks.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { checkServerName, type ServerRow } from "#lib/services/diagnostics/get-server.ts";

interface ServerChecksProps {
  readonly ctx: ServiceContext;
  readonly report: ServerRow;
  readonly checks: readonly Check[];
}

/** Name servers may take their time: the other checks do not wait for them. */
export function ServerChecks({ ctx, report, checks }: ServerChecksProps) {
  const pending = checkName(report.hostname, report.address, "pending");
  return (
    <Card flush title="Checks">
      <Suspense fallback={<CheckList address={report.address} checks={[...checks, pending]} />}>
        <AllChecks checks={checks} ctx={ctx} report={report} />
      </Suspense>
    </Card>
  );
}

async function AllChecks({ ctx, report, checks }: ServerChecksProps) {
  const named = await checkServerName(ctx, { address: report.address as Ipv4 });
  return <CheckList address={report.address} checks={[...checks, named]} />;
}
