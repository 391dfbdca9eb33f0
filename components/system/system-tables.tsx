import { Fragment } from "react";
import { Badge } from "#components/ui/badge.tsx";
import { atEnd } from "#components/ui/column.ts";
import { durationText } from "#components/ui/duration-text.ts";
import { Cell, Row, Table } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import { describeScheduledJob } from "#lib/domain/scheduled-jobs.ts";
import type { System } from "#lib/services/system/get.ts";
import { bytesText } from "./bytes-text.ts";

export function ProcessTable({ processes }: Pick<System, "processes">) {
  return (
    <Table columns={["Host", "PID", "Worker", "Started"]} compact label="Processes">
      {processes.map(({ host, pid, startedAt, isWorker }) => (
        <Row key={`${host} ${pid} ${startedAt}`}>
          <Cell phone="title">
            <span className="wrap-anywhere">{host}</span>
          </Cell>
          <Cell label="PID">{pid}</Cell>
          <Cell label="Worker" muted>
            {isWorker ? "Yes" : "No"}
          </Cell>
          <Cell label="Started" muted>
            <Timestamp format="relative" value={startedAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

export function StorageTable({ tables }: Pick<System, "tables">) {
  return (
    <Table columns={["Table", atEnd("Rows (est.)"), atEnd("Size with indexes")]} compact label="Largest tables">
      {tables.map(({ name, bytes, rows }) => (
        <Row key={name}>
          <Cell phone="title">
            {name.split(/(?<=_)/).map((word, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: words may repeat
              <Fragment key={index}>
                {word}
                <wbr />
              </Fragment>
            ))}
          </Cell>
          <Cell label="Rows (est.)" muted align="end">
            {numberText(rows)}
          </Cell>
          <Cell label="Size with indexes" align="end">
            {bytesText(Number(bytes))}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

type JobRun = System["jobs"][number];

const isProblem = ({ error, late }: JobRun) => Number(error !== null || late);

/** What failed or is late comes first. */
export function JobTable({ jobs }: Pick<System, "jobs">) {
  const titleOf = ({ name }: JobRun) => describeScheduledJob(name).title;
  const sorted = jobs.toSorted(
    (one, other) => isProblem(other) - isProblem(one) || titleOf(one).localeCompare(titleOf(other)),
  );
  return (
    <Table columns={["Job", "Last run", atEnd("Took"), "Result"]} label="Scheduled jobs">
      {sorted.map(({ name, startedAt, seconds, error, late }) => (
        <Row key={name}>
          <Cell phone="title">
            <JobName name={name} />
          </Cell>
          <Cell label="Last run" muted>
            {startedAt === null ? "Not run yet" : <Timestamp format="relative" value={startedAt} />}
          </Cell>
          <Cell label="Took" muted align="end">
            <span className="whitespace-nowrap">{seconds === null ? "–" : durationText(seconds * 1_000)}</span>
          </Cell>
          <Cell label="Result">
            {late ? (
              <Badge tone="critical">Late</Badge>
            ) : startedAt === null ? (
              <span className="text-text-muted">–</span>
            ) : error === null ? (
              <Badge tone="positive">Succeeded</Badge>
            ) : (
              <span className="flex flex-col items-start gap-0.5 py-0.5 max-md:items-end">
                <Badge tone="critical">Failed</Badge>
                <span className="wrap-anywhere text-text-muted max-md:text-right">{error}</span>
              </span>
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function JobName({ name }: Pick<JobRun, "name">) {
  const { title, meaning } = describeScheduledJob(name);
  return (
    <span className="flex flex-col gap-0.5 py-0.5">
      {title}
      <span className="font-normal text-text-muted">{meaning}</span>
    </span>
  );
}
