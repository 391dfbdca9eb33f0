import { ScanSearch } from "lucide-react";
import { changeAddress } from "#app/(dashboard)/licenses/[id]/change-actions.ts";
import { findLicense } from "#app/(dashboard)/licenses/[id]/find.ts";
import { OfReseller } from "#app/(dashboard)/licenses/[id]/of-reseller.tsx";
import {
  filterCodes,
  loadVerificationParams,
  verificationsHref,
} from "#app/(dashboard)/licenses/[id]/verification-params.ts";
import type { PageProps } from "#app/page-props.ts";
import { describeLicense } from "#components/license/license-details.ts";
import { markRebindable, verificationNames } from "#components/license/verification.ts";
import { VerificationTable } from "#components/license/verification-table.tsx";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { ListCard } from "#components/ui/list-card.tsx";
import { onward } from "#components/ui/list-params.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { listVerifications } from "#lib/services/license/verifications.ts";

export default async function VerificationsPage({ params, searchParams }: PageProps<"id">) {
  const [{ id }, view] = await Promise.all([params, loadVerificationParams(searchParams)]);
  const { code, before } = view;
  const shown = await findLicense(id);
  const { ctx, license: row, seen } = shown;
  const licenseId = row.id;
  const license = describeLicense(row, [], null, ctx.now());
  const page = await listVerifications(ctx, {
    licenseId,
    codes: code === null ? null : [code],
    before: before && { checkedAt: before.at, id: before.id },
  });
  const pathname = `/licenses/${licenseId}/verifications`;
  const filtered = code !== null || before !== null;
  return (
    <OfReseller of={shown}>
      <PageHeader
        heading="Verifications"
        title={`Verifications of ${license.id}`}
        trail={[
          { label: "Licenses", href: "/licenses" },
          {
            label: license.hostname === "" ? license.product : `${license.product}, ${license.hostname}`,
            href: `/licenses/${licenseId}`,
          },
        ]}
      />
      <ListCard
        description={
          <>
            {license.product}, bound to <span className="font-mono">{license.ipAddress}</span>. The last 90 days.
          </>
        }
        empty={{
          description:
            "Each time a server asks whether this license is valid, the answer is kept here for 90 days. The command for that is on the license's page.",
          icon: <ScanSearch />,
          title: "Not verified yet",
        }}
        filter={{
          view: { code },
          clearHref: pathname,
          title: "No verification matches",
          none: "No verification in the last 90 days had this result.",
        }}
        head={
          (page.rows.length > 0 || filtered) && (
            <div className="border-b px-4 pb-3">
              <FilterChips
                chips={filterCodes.map((value) => ({
                  label: verificationNames[value],
                  href: verificationsHref(pathname, { code: value === code ? null : value }),
                  active: value === code,
                }))}
                label="Filter by result"
              />
            </div>
          )
        }
        page={page}
        pages={onward(
          (before) => verificationsHref(pathname, { code, before }),
          before,
          page.next && { at: page.next.checkedAt, id: page.next.id },
        )}
        title="Answers"
      >
        <VerificationTable
          action={changeAddress.bind(null, seen)}
          boundIp={license.ipAddress}
          entries={markRebindable(page.rows, license)}
          id={license.id}
          product={license.product}
        />
      </ListCard>
    </OfReseller>
  );
}
