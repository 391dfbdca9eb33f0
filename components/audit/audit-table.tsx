import { ArrowRight, ChevronRight } from "lucide-react";
import { Fragment } from "react";
import { Badge } from "#components/ui/badge.tsx";
import { Link } from "#components/ui/link.tsx";
import { ObjectId } from "#components/ui/object-id.tsx";
import { Cell, DetailRow, Row, RowControl, Table } from "#components/ui/table.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { AuditRow } from "#lib/services/audit/list.ts";
import { type AuditLine, describeEntry } from "./audit-line.ts";

interface AuditTableProps {
  readonly entries: readonly AuditRow[];
  /** For admins: a column with the reseller. */
  readonly withReseller: boolean;
}

export function AuditTable({ entries, withReseller }: AuditTableProps) {
  return (
    <Table columns={["Time", "Actor", "Action", "Target", withReseller && "Reseller"]} label="Audit log">
      {entries.map(describeEntry).map((line) => (
        <Fragment key={line.id}>
          <Row>
            <Cell muted phone="corner">
              <Timestamp format="exact" value={line.at} />
            </Cell>
            <Cell label="Actor">
              <span className="flex flex-wrap items-center gap-x-2 max-md:justify-end md:min-w-32">
                {line.whoHref === null ? (
                  line.who
                ) : (
                  <RowControl>
                    <TextLink href={line.whoHref}>{line.who}</TextLink>
                  </RowControl>
                )}
                {line.actingAs !== null && <Badge tone="caution">as {line.actingAs}</Badge>}
                {line.addressHref !== null && (
                  <span className="text-xs md:w-full">
                    <RowControl>
                      <Link
                        className="inline-flex min-h-6 items-center rounded-sm font-mono text-text-muted hover:text-text hover:underline"
                        href={line.addressHref}
                      >
                        <span className="sr-only">from </span>
                        {line.address}
                      </Link>
                    </RowControl>
                  </span>
                )}
              </span>
            </Cell>
            <Cell phone="title">
              {hasDetails(line) ? <What line={line} /> : <span className="font-medium">{line.what}</span>}
            </Cell>
            <Cell label="Target">
              <span className="block min-w-0 max-md:text-right md:min-w-36">
                <RowControl>
                  <TextLink href={line.subjectHref}>
                    <span className="wrap-anywhere">{line.subjectName || line.subject}</span>
                  </TextLink>
                </RowControl>
                {line.subjectName !== "" && (
                  <ObjectId className="block max-md:ml-1.5 max-md:inline">{line.subject}</ObjectId>
                )}
              </span>
            </Cell>
            {withReseller && (
              <Cell
                label="Reseller"
                muted
                phone={line.reseller === null || line.reseller.name === line.subjectName ? "hidden" : "line"}
              >
                {line.reseller === null ? (
                  "–"
                ) : (
                  <RowControl>
                    <Link
                      className="wrap-anywhere rounded-sm hover:text-text max-md:block max-md:text-right"
                      href={line.reseller.href}
                    >
                      {line.reseller.name}
                    </Link>
                  </RowControl>
                )}
              </Cell>
            )}
          </Row>
          {hasDetails(line) && (
            <DetailRow columns={withReseller ? 5 : 4}>
              <AuditDetails line={line} />
            </DetailRow>
          )}
        </Fragment>
      ))}
    </Table>
  );
}

/** The verb, which opens the row of all that is known. The browser's own disclosure: no script. */
function What({ line: { what, reason } }: { readonly line: AuditLine }) {
  return (
    <details className="group min-w-0 py-0.5 text-left max-md:-mt-1 md:min-w-40">
      <summary
        data-row-link=""
        className="flex min-h-6 cursor-pointer list-none items-start gap-1 pt-0.5 rounded-sm [&::-webkit-details-marker]:hidden"
      >
        <span>
          <span className="font-medium">{what}</span>
          {reason !== "" && (
            <span className="wrap-anywhere block text-sm text-text-muted group-open:hidden">{reason}</span>
          )}
        </span>
        <ChevronRight className="mt-1 size-3.5 shrink-0 text-text-muted transition-transform group-open:rotate-90" />
      </summary>
    </details>
  );
}

const termClassName = "text-text-muted first-letter:uppercase";

/** False where a reseller's log shows no more of an administrator's entry than its name. */
function hasDetails({ changes, facts, reason, requestId }: AuditLine): boolean {
  return changes.length > 0 || facts.length > 0 || reason !== "" || requestId !== "";
}

/** All that an entry says: what was before and after, side by side, then its other facts. */
function AuditDetails({ line }: { readonly line: AuditLine }) {
  const { changes, facts, reason, address, action, actor, whoHref, requestId } = line;
  const source = [
    { term: "action", value: action },
    // Resellers do not read which administrator it was.
    { term: "actor", value: whoHref === null ? "" : actor },
    { term: "from", value: address },
    { term: "request", value: requestId },
  ].filter(({ value }) => value !== "");
  return (
    <div className="flex w-full flex-col gap-3 py-1 text-sm md:py-2">
      {reason !== "" && <p className="wrap-anywhere max-w-prose">{reason}</p>}
      {changes.length > 0 && (
        <dl className="grid gap-x-4 gap-y-1.5 md:grid-cols-[minmax(8rem,max-content)_minmax(0,1fr)]">
          {changes.map(({ field, before, after }) => (
            <div className="contents" key={field}>
              <dt className={termClassName}>{field}</dt>
              <dd className="wrap-anywhere grid grid-cols-[minmax(0,max-content)_auto_minmax(0,max-content)] items-baseline justify-start gap-x-2.5 max-md:mb-1">
                <span className="text-text-muted line-through decoration-text-muted/60">{before}</span>
                <ArrowRight aria-label="became" className="size-3.5 translate-y-0.5 text-text-muted" />
                <span className="font-medium">{after}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {facts.length > 0 && (
        <dl className="flex flex-wrap gap-x-8 gap-y-2">
          {facts.map(({ term, value }) => (
            <div className="min-w-0 max-w-full" key={term}>
              <dt className={`text-xs ${termClassName}`}>{term}</dt>
              <dd className="wrap-anywhere max-w-prose">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <dl className="flex flex-wrap gap-x-6 gap-y-1 text-xs">
        {source.map(({ term, value }) => (
          <div className="flex min-w-0 gap-1.5" key={term}>
            <dt className={termClassName}>{term}</dt>
            <dd className="wrap-anywhere font-mono">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
