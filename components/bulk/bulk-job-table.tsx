import { Money } from "#components/ui/money.tsx";
import { Cell, HeaderCell, Row, RowLink, Table, TableBody, TableHead } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { formatLocale } from "#lib/domain/format-locale.ts";
import { type BulkJobView, countOf, headingOf } from "./bulk-job.ts";
import { BulkJobBadge } from "./bulk-state-badge.tsx";

export interface BulkJobTableProps {
  readonly label?: string;
  readonly jobs: readonly BulkJobView[];
  /** They belong to several resellers, who are named. */
  readonly resellers?: boolean;
}

export function BulkJobTable({ label = "Jobs", jobs, resellers = false }: BulkJobTableProps) {
  return (
    <Table label={label}>
      <TableHead>
        <HeaderCell>Job</HeaderCell>
        {resellers && <HeaderCell>Reseller</HeaderCell>}
        <HeaderCell>Started</HeaderCell>
        <HeaderCell>By</HeaderCell>
        <HeaderCell>Status</HeaderCell>
        <HeaderCell align="end">Done</HeaderCell>
        <HeaderCell align="end">Failed</HeaderCell>
        <HeaderCell align="end">Skipped</HeaderCell>
        <HeaderCell align="end">Charged</HeaderCell>
      </TableHead>
      <TableBody>
        {jobs.map((job) => (
          <JobRow job={job} key={job.id} resellers={resellers} />
        ))}
      </TableBody>
    </Table>
  );
}

function JobRow({ job, resellers }: { readonly job: BulkJobView; readonly resellers: boolean }) {
  const { title, description } = headingOf(job);
  return (
    <Row>
      <Cell phone="title">
        <RowLink href={`/jobs/${job.id}`}>{title}</RowLink>
        {description !== undefined && (
          <span className="ml-1.5 text-text-muted max-xl:hidden">{shortened(description)}</span>
        )}
      </Cell>
      {resellers && (
        <Cell label="Reseller">
          <span className="wrap-anywhere">{job.reseller.name}</span>
        </Cell>
      )}
      <Cell label="Started" muted>
        <Timestamp value={job.createdAt} />
      </Cell>
      <Cell label="By" muted>
        {job.startedBy}
      </Cell>
      <Cell phone="corner">
        <BulkJobBadge job={job} />
      </Cell>
      <Cell align="end" label="Done">
        <span className="tabular whitespace-nowrap">
          {job.counts.succeeded.toLocaleString(formatLocale())} of{" "}
          {countOf(job.counts, "all").toLocaleString(formatLocale())}
        </span>
      </Cell>
      <Cell align="end" label="Failed" phone={job.counts.failed === 0 ? "hidden" : "line"}>
        <span className={job.counts.failed > 0 ? "tabular text-critical" : "tabular text-text-muted"}>
          {job.counts.failed.toLocaleString(formatLocale())}
        </span>
      </Cell>
      <Cell align="end" label="Skipped" phone={job.counts.skipped === 0 ? "hidden" : "line"}>
        <span className="tabular text-text-muted">{job.counts.skipped.toLocaleString(formatLocale())}</span>
      </Cell>
      <Cell align="end" label="Charged" phone={job.chargedTotal === "0" ? "hidden" : "line"}>
        <Money currency={job.currency} minor={job.chargedTotal} />
      </Cell>
    </Row>
  );
}

const MAX_SHOWN = 40;

function shortened(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
