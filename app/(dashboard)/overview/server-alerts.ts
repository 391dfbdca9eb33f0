import { remedyOf } from "#components/diagnostics/check-remedy.ts";
import { describeCheck, describeFinding } from "#components/diagnostics/check-text.ts";
import { serverHref } from "#components/diagnostics/server.ts";
import type { Alert } from "#components/overview/alert.ts";
import { type Check, failedChecks } from "#lib/domain/server-checks.ts";
import { MOST_COUNTED, type ServerProblemCounts } from "#lib/services/diagnostics/count-problems.ts";

export interface WorstServer {
  readonly address: string;
  readonly hostname: string;
  readonly checks: readonly Check[];
}

/** The worst servers, each with its worst finding; then how many more there are. */
export function listServerAlerts({ critical, caution }: ServerProblemCounts, worst: readonly WorstServer[]): Alert[] {
  const alerts = worst.flatMap(({ address, hostname, checks }): Alert[] => {
    const [finding, ...others] = failedChecks(checks);
    if (finding === undefined) return [];
    const remedy = remedyOf(finding, address);
    const leads = remedy !== null && "href" in remedy;
    const more = others.map((check) => describeCheck(check).title).join(". ");
    return [
      {
        id: `server ${address}`,
        tone: finding.verdict === "critical" ? "critical" : "caution",
        title: describeFinding(hostname || address, finding),
        detail: `${describeCheck(finding).finding}${more && ` ${more}.`}`,
        action: leads ? remedy.label : "View server",
        href: leads ? remedy.href : serverHref(address),
      },
    ];
  });
  const rest = critical + caution - alerts.length;
  if (rest <= 0) return alerts;
  const count = critical >= MOST_COUNTED || caution >= MOST_COUNTED ? `${MOST_COUNTED} or more` : String(rest);
  return [
    ...alerts,
    {
      id: "servers",
      tone: "caution",
      title: rest === 1 ? "1 more server has findings" : `${count} more servers have findings`,
      detail: "Silent agents, other addresses, full disks or wrong clocks.",
      action: "View servers",
      href: "/diagnostics",
    },
  ];
}
