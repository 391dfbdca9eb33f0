import type { OnceAction } from "#components/form/action-result.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Cell, HeaderCell, Row, Table, TableBody, TableHead } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { LicenseChanged } from "./license-details.ts";
import { Rebind } from "./rebind.tsx";
import { explainVerification, toneOfCode, type VerificationEntry, verificationNames } from "./verification.ts";

export interface VerificationTableProps {
  /** `lic_12`. */
  readonly id: string;
  readonly boundIp: string;
  readonly entries: readonly VerificationEntry[];
  readonly rebind: OnceAction<string, LicenseChanged>;
  /** As of a Table. */
  readonly scrolls?: boolean;
}

export function VerificationTable({ id, boundIp, entries, rebind, scrolls = false }: VerificationTableProps) {
  return (
    <Table label="Verifications" scrolls={scrolls}>
      <TableHead>
        <HeaderCell>Seen on</HeaderCell>
        <HeaderCell>Result</HeaderCell>
        <HeaderCell>Why</HeaderCell>
        <HeaderCell>Time</HeaderCell>
        <HeaderCell hidden>Rebind</HeaderCell>
      </TableHead>
      <TableBody>
        {entries.map((entry) => (
          <Row key={entry.id}>
            <Cell phone="title">
              <span className="font-mono">{entry.seenIp}</span>
            </Cell>
            <Cell phone="corner">
              <Badge tone={toneOfCode(entry.code)}>{verificationNames[entry.code]}</Badge>
            </Cell>
            <Cell label="Why" muted>
              {explainVerification(entry, boundIp)}
            </Cell>
            <Cell label="Time" muted>
              <Timestamp format="exact" value={entry.at} />
            </Cell>
            <Cell align="end" phone={entry.rebindable ? "actions" : "hidden"}>
              {entry.rebindable && <Rebind action={rebind} boundIp={boundIp} id={id} seenIp={entry.seenIp} />}
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
