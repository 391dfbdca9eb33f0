import { Cell, Row, Table } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";

export interface ProcessLine {
  readonly host: string;
  readonly pid: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly isWorker: boolean;
}

export function ProcessTable({ processes }: { readonly processes: readonly ProcessLine[] }) {
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
