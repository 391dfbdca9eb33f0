import { ScrollText } from "lucide-react";
import { requireReseller } from "#app/(dashboard)/resellers/[id]/find.ts";
import { ResellerHeader } from "#app/(dashboard)/resellers/[id]/header.tsx";
import type { PageProps } from "#app/page-props.ts";
import { AUDIT_PATH, auditHref, loadAuditParams } from "#components/audit/audit-params.ts";
import { AuditTable } from "#components/audit/audit-table.tsx";
import { ListCard } from "#components/ui/list-card.tsx";
import { onward } from "#components/ui/list-params.ts";
import { TextLink } from "#components/ui/text-link.tsx";
import { listAuditLog } from "#lib/services/audit/list.ts";

export default async function ResellerActivityPage({ params, searchParams }: PageProps<"id">) {
  const [{ id }, { before }] = await Promise.all([params, loadAuditParams(searchParams)]);
  const looked = await requireReseller(id);
  const { resellerId } = looked.reseller;
  const page = await listAuditLog(looked.ctx, {
    filter: { resellerId },
    before: before === null ? null : BigInt(before),
  });
  return (
    <>
      <ResellerHeader of={looked} page="Activity" />
      <ListCard
        description={
          <>
            Changes made by this reseller and on its behalf.{" "}
            <TextLink href={auditHref(AUDIT_PATH, { reseller: resellerId })}>Filter in the audit log</TextLink>
          </>
        }
        empty={{ icon: <ScrollText />, title: "No entries yet" }}
        page={page}
        pages={onward(
          (before) => auditHref(`${looked.path}/activity`, { before }),
          before,
          page.next?.toString() ?? null,
        )}
        title="Activity"
      >
        <AuditTable entries={page.rows} withReseller={false} />
      </ListCard>
    </>
  );
}
