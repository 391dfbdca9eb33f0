import { LicenseServerCard } from "#components/diagnostics/license-server-card.tsx";
import type { Ipv4 } from "#lib/domain/ipv4.ts";
import { foundProblems } from "#lib/domain/server-checks.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { findServerState } from "#lib/services/diagnostics/get-server.ts";

interface ServerSectionProps {
  readonly ctx: ServiceContext;
  /** What the license is bound to. */
  readonly address: string;
}

export async function ServerSection({ ctx, address }: ServerSectionProps) {
  const found = await findServerState(ctx, { address: address as Ipv4 });
  return (
    <LicenseServerCard
      address={address}
      server={
        found && {
          hostname: found.report.hostname,
          reportedAt: found.report.reportedAt.toISOString(),
          problems: foundProblems(found.checks),
        }
      }
    />
  );
}
