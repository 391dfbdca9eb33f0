import { CircleCheck, CircleDashed, TriangleAlert } from "lucide-react";
import { TextLink } from "#components/ui/text-link.tsx";
import type { SystemCheck, SystemCheckName } from "#lib/domain/system-health.ts";

const names: Readonly<Record<SystemCheckName, string>> = {
  worker: "Worker",
  operations: "Changes at providers",
  ledger: "Wallets",
  comparisons: "Comparisons",
  cases: "Cases",
  backup: "Backup",
  archive: "Archive",
  partitions: "Partitions",
  disk: "Disk",
  clock: "Clock",
  jobs: "Jobs",
  webhooks: "Webhooks",
  mails: "Messages",
};

/** Where a problem is looked into. */
const places: Readonly<Partial<Record<SystemCheckName, { readonly href: string; readonly text: string }>>> = {
  operations: { href: "/providers", text: "View providers" },
  comparisons: { href: "/reconciliation", text: "View comparisons" },
  cases: { href: "/reconciliation", text: "View cases" },
  jobs: { href: "#jobs", text: "View jobs" },
  mails: { href: "/outbox?state=pending", text: "View outbox" },
};

const order = ["problem", "not_yet", "ok"] as const;

/** What is checked, problems first. */
export function SystemChecks({ checks }: { readonly checks: readonly SystemCheck[] }) {
  const sorted = order.flatMap((wanted) => checks.filter(({ status }) => status === wanted));
  return (
    <ul className="divide-y text-sm">
      {sorted.map(({ name, status, detail }) => {
        const place = status === "problem" ? places[name] : undefined;
        return (
          <li className="flex min-h-9 items-start gap-2 py-1.5" key={name}>
            <Mark status={status} />
            <span className="wrap-anywhere min-w-0 flex-1">
              <span className="font-medium">{names[name]}</span>: <span className="text-text-muted">{detail}.</span>
            </span>
            {place && <TextLink href={place.href}>{place.text}</TextLink>}
          </li>
        );
      })}
    </ul>
  );
}

function Mark({ status }: Pick<SystemCheck, "status">) {
  const place = "mt-0.5 size-4 shrink-0";
  if (status === "ok") return <CircleCheck aria-label="OK" className={`${place} text-positive`} role="img" />;
  if (status === "not_yet")
    return <CircleDashed aria-label="Not yet" className={`${place} text-text-muted`} role="img" />;
  return <TriangleAlert aria-label="Problem" className={`${place} text-caution`} role="img" />;
}
