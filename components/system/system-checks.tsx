import { CircleCheck, TriangleAlert } from "lucide-react";
import { TextLink } from "#components/ui/text-link.tsx";
import type { SystemCheck, SystemCheckName } from "#lib/domain/system-health.ts";

const names: Readonly<Record<SystemCheckName, string>> = {
  worker: "Worker",
  operations: "Changes at providers",
  ledger: "Wallets",
  comparisons: "Providers' books",
  backup: "Backup",
  jobs: "Jobs",
  webhooks: "Webhooks",
  mails: "Messages",
};

/** Where a problem is looked into. */
const places: Readonly<Partial<Record<SystemCheckName, { readonly href: string; readonly text: string }>>> = {
  operations: { href: "/providers", text: "View providers" },
  comparisons: { href: "/reconciliation", text: "View cases" },
  mails: { href: "/outbox?state=pending", text: "View outbox" },
};

/** What is checked, problems first. */
export function SystemChecks({ checks }: { readonly checks: readonly SystemCheck[] }) {
  const sorted = checks.toSorted((a, b) => Number(a.isOk) - Number(b.isOk));
  return (
    <ul className="divide-y text-sm">
      {sorted.map(({ name, isOk, detail }) => {
        const place = isOk ? undefined : places[name];
        return (
          <li className="flex min-h-9 items-start gap-2 py-1.5" key={name}>
            {isOk ? (
              <CircleCheck aria-label="OK" className="mt-0.5 size-4 shrink-0 text-positive" role="img" />
            ) : (
              <TriangleAlert aria-label="Problem" className="mt-0.5 size-4 shrink-0 text-caution" role="img" />
            )}
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
