import type { ReactNode } from "react";
import { ResellersLink } from "#components/reseller/act-as.tsx";
import { Card } from "#components/ui/card.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { type Check, failedChecks } from "#lib/domain/server-checks.ts";
import { describeCheck } from "./check-text.ts";
import { serverHref } from "./server.ts";
import { VerdictIcon } from "./verdict-icon.tsx";

export interface LicenseServerCardProps {
  readonly address: string;
  /** Null before the first report. */
  readonly server: {
    readonly report: { readonly hostname: string; readonly reportedAt: Date };
    readonly checks: readonly Check[];
  } | null;
  /** Makes the line that installs the agent; null: not now. */
  readonly install: ReactNode;
  /** Says which keys of agents are to be revoked. */
  readonly earlierKeys: ReactNode;
}

/** On the page of a license or bundle: how the server is that it is bound to. */
export function LicenseServerCard({ address, server, install, earlierKeys }: LicenseServerCardProps) {
  const problems = failedChecks(server?.checks ?? []);
  return (
    <Card
      actions={
        <ResellersLink button href={serverHref(address)}>
          Diagnostics
        </ResellersLink>
      }
      title="Server"
    >
      {server === null ? (
        <p className="text-pretty text-sm text-text-muted">
          No report has come from <span className="font-mono">{address}</span>.
          {install && " With the agent installed, it verifies and reports every hour."}
        </p>
      ) : (
        <div className="flex flex-col gap-2 text-sm">
          <p className="wrap-anywhere text-text-muted">
            <span className="font-medium text-text">{server.report.hostname}</span> reported{" "}
            <Timestamp format="relative" value={server.report.reportedAt} />
          </p>
          <ul className="flex flex-col gap-1">
            {problems.length === 0 ? (
              <li className="flex items-center gap-2">
                <VerdictIcon verdict="ok" /> All checks passed.
              </li>
            ) : (
              problems.map((check) => (
                <li className="flex items-center gap-2" key={check.id}>
                  <VerdictIcon verdict={check.verdict} /> {describeCheck(check).title}
                </li>
              ))
            )}
          </ul>
        </div>
      )}
      {install && (
        <div className="mt-3 flex flex-col gap-3">
          {earlierKeys}
          {server === null ? (
            install
          ) : (
            <Disclosure summary="Install the agent again">
              <div className="mt-2">{install}</div>
            </Disclosure>
          )}
        </div>
      )}
    </Card>
  );
}
