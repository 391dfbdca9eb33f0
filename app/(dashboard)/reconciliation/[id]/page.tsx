import { idIn, orNotFound } from "#app/(dashboard)/or-not-found.ts";
import type { PageProps } from "#app/page-props.ts";
import { CaseActions } from "#components/reconciliation/case-actions.tsx";
import { CaseKindBadge } from "#components/reconciliation/case-kind-badge.tsx";
import { CaseSides } from "#components/reconciliation/case-sides.tsx";
import { CaseSubject } from "#components/reconciliation/case-subject.tsx";
import { kindMeanings, resolutionNames } from "#components/reconciliation/case-text.ts";
import { Timeline } from "#components/reconciliation/timeline.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { Banner } from "#components/ui/banner.tsx";
import { cx } from "#components/ui/cx.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { formatBundleInstanceId } from "#lib/domain/ids.ts";
import { type CaseDetails, getCase } from "#lib/services/reconciliation/get-case.ts";
import { act } from "./actions.ts";
import { listSides } from "./sides.tsx";
import { courseTitle, describeOffer, listCourse, listHistory, pickSubject, toTimelineEntry } from "./timelines.tsx";

export default async function CasePage({ params }: PageProps<"id">) {
  const [user, { id }] = await Promise.all([requireAdminUser("admin:read"), params]);
  const { details, operation, entries, history, actions } = await orNotFound(
    getCase(contextOf(user), { caseId: idIn(id) }),
  );
  const hasMoved = operation !== null || entries.length > 0;

  return (
    <>
      <PageHeader
        badge={<CaseKindBadge kind={details.kind} />}
        description={kindMeanings[details.kind]}
        heading={<CaseSubject {...details} />}
        title={`Case ${details.id}`}
        trail={[{ label: "Reconciliation", href: "/reconciliation" }]}
      />
      <div className="flex flex-col gap-4">
        <p className="-mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm text-text-muted">
          {details.licenseId !== null && <LicenseKey of={details} />}
          {details.bundle !== null && (
            <span>
              Part of {formatBundleInstanceId(details.bundle.id)} ({details.bundle.name})
            </span>
          )}
          {details.resellerId !== null && (
            <TextLink href={`/resellers/${details.resellerId}`}>{details.resellerName}</TextLink>
          )}
          <span>
            Compared <Timestamp value={details.lastSeenAt} />
          </span>
        </p>
        {details.resolution && (
          <Banner title={`Closed: ${resolutionNames[details.resolution]}`} tone="positive">
            This page shows how things stood at the last comparison.
          </Banner>
        )}
        <CaseSides sides={listSides(details)} />
        <div className={cx("grid items-start gap-4", hasMoved && "lg:grid-cols-[minmax(0,1fr)_24rem]")}>
          <div className="flex min-w-0 flex-col gap-4">
            {!details.resolution && (
              <Allowed to="cases:decide">
                <CaseActions
                  act={act}
                  offers={actions.map((offer) => describeOffer(details, offer))}
                  subject={pickSubject(details)}
                />
              </Allowed>
            )}
            <Timeline empty="" entries={listHistory(details, history)} title="History" />
          </div>
          {hasMoved && (
            <div className="flex min-w-0 flex-col gap-4">
              {operation && (
                <Timeline
                  description={courseTitle(operation)}
                  empty=""
                  entries={listCourse(operation)}
                  title="Operation"
                />
              )}
              <Timeline empty="No money has moved." entries={entries.map(toTimelineEntry)} title="Ledger entries" />
            </div>
          )}
        </div>
      </div>
    </>
  );
}

/** Leads to the license; that of a rejected registration is gone. */
function LicenseKey({ of: { licenseId, licenseExists, reference } }: { readonly of: CaseDetails }) {
  const key = <code className="wrap-anywhere font-mono">{reference}</code>;
  return licenseExists ? <TextLink href={`/licenses/${licenseId}`}>{key}</TextLink> : key;
}
