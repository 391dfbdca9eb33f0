import { atEnd } from "#components/ui/column.ts";
import { Money } from "#components/ui/money.tsx";
import { Cell, Row, RowLink, Table } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import { type BulkJobView, countOf, doneOf, headingOf } from "./bulk-job.ts";
import { BulkJobBadge } from "./bulk-state-badge.tsx";

export interface BulkJobTableProps {
  readonly label?: string;
  readonly jobs: readonly BulkJobView[];
  /** They belong to several resellers, who are named. */
  readonly resellers?: boolean;
  /** None of them charges anything, so there is no such column. */
  readonly free?: boolean;
}

export function BulkJobTable({ label = "Jobs", jobs, resellers = false, free = false }: BulkJobTableProps) {
  return (
    <Table
      columns={[
        "Job",
        resellers && "Reseller",
        "Started",
        "By",
        "Status",
        atEnd("Done"),
        atEnd("Failed"),
        atEnd("Skipped"),
        !free && atEnd("Charged"),
      ]}
      label={label}
    >
      {jobs.map((job) => (
        <JobRow free={free} job={job} key={job.id} resellers={resellers} />
      ))}
    </Table>
  );
}

interface JobRowProps extends Required<Pick<BulkJobTableProps, "resellers" | "free">> {
  readonly job: BulkJobView;
}

function JobRow({ job, resellers, free }: JobRowProps) {
  const { heading, description } = headingOf(job);
  const reverted = revertedText(job);
  return (
    <Row>
      <Cell phone="title">
        <RowLink href={`/jobs/${job.id}`}>{heading}</RowLink>
        {description !== undefined && (
          <span className="block text-text-muted text-xs max-xl:hidden">{shortened(description)}</span>
        )}
      </Cell>
      {resellers && (
        <Cell label="Reseller">
          <Name>{job.reseller.name}</Name>
        </Cell>
      )}
      <Cell label="Started" muted>
        <Timestamp value={job.createdAt} />
      </Cell>
      <Cell label="By" muted>
        <Name>{job.startedBy}</Name>
      </Cell>
      <Cell phone="corner">
        <BulkJobBadge job={job} />
      </Cell>
      <Cell align="end" label="Done">
        <span className="tabular whitespace-nowrap text-right">
          {numberText(doneOf(job))} of {numberText(countOf(job.counts, "all"))}
          {reverted !== null && <span className="block text-text-muted text-xs">{reverted}</span>}
        </span>
      </Cell>
      <Cell align="end" label="Failed" phone={job.counts.failed === 0 ? "hidden" : "line"}>
        <span className={job.counts.failed > 0 ? "tabular text-critical" : "tabular text-text-muted"}>
          {numberText(job.counts.failed)}
        </span>
      </Cell>
      <Cell align="end" label="Skipped" phone={job.counts.skipped === 0 ? "hidden" : "line"}>
        <span className="tabular text-text-muted">{numberText(job.counts.skipped)}</span>
      </Cell>
      {!free && (
        <Cell align="end" label="Charged" phone={job.chargedTotal === "0" ? "hidden" : "line"}>
          <Money
            className={job.chargedTotal === "0" ? "text-text-muted" : undefined}
            currency={job.currency}
            minor={job.chargedTotal}
          />
        </Cell>
      )}
    </Row>
  );
}

/** One line of the row; the whole of a long one on hover. */
function Name({ children }: { readonly children: string }) {
  return (
    <span className="wrap-anywhere text-right md:block md:max-w-48 md:truncate md:text-left" title={children}>
      {children}
    </span>
  );
}

/** Null: nothing is reverted. */
function revertedText({ counts: { succeeded, undone }, state }: BulkJobView): string | null {
  if (state === "undoing") return `${numberText(undone)} of ${numberText(undone + succeeded)} reverted`;
  return undone === 0 ? null : `${numberText(undone)} reverted`;
}

const MAX_SHOWN = 40;

function shortened(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
