import { ReceiptText, Settings } from "lucide-react";
import type { ReactNode } from "react";
import { actAs } from "#app/(dashboard)/resellers/[id]/settings/actions.ts";
import { ActAs } from "#components/reseller/act-as.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { TabLinks } from "#components/ui/tab-links.tsx";
import type { LookedAtReseller } from "./find.ts";

interface ResellerHeaderProps {
  readonly of: Pick<LookedAtReseller, "reseller" | "path">;
  /** The name of its tab; none: the overview. */
  readonly page?: string;
  readonly actions?: ReactNode;
  /** A page of the reseller that was looked for: asks at once to act as the reseller. */
  readonly open?: string | null;
}

export function ResellerHeader({ of: { reseller, path }, page, actions, open = null }: ResellerHeaderProps) {
  const { resellerId, name, email, suspendedAt } = reseller;
  return (
    <>
      <PageHeader
        actions={
          <>
            <ActAs action={actAs.bind(null, { resellerId })} name={name} path={open} />
            {actions}
          </>
        }
        badge={<Badge tone={suspendedAt ? "caution" : "positive"}>{suspendedAt ? "Suspended" : "Active"}</Badge>}
        description={email}
        links={[
          {
            href: `${path}/settings`,
            icon: <Settings />,
            label: "Settings",
          },
          {
            href: `${path}/statement`,
            icon: <ReceiptText />,
            label: "Statement",
          },
        ]}
        heading={name}
        title={page === undefined ? `${name} · Resellers` : `${page} · ${name}`}
        trail={[{ label: "Resellers", href: "/resellers" }]}
      />
      <TabLinks
        label="Reseller"
        tabs={[
          { href: path, label: "Overview" },
          { href: `${path}/licenses`, label: "Licenses" },
          { href: `${path}/wallet`, label: "Wallet" },
          { href: `${path}/prices`, label: "Prices" },
          { href: `${path}/api-keys`, label: "API keys" },
          { href: `${path}/team`, label: "Team" },
          { href: `${path}/activity`, label: "Activity" },
        ]}
      />
    </>
  );
}
