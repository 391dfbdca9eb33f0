import { Allowed } from "#components/shell/permissions.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Cell, Row, Table } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { Rebind, type RebindProps } from "./rebind.tsx";
import { toneOfCode, type VerificationEntry, verificationNames } from "./verification.ts";

export interface VerificationTableProps extends Omit<RebindProps, "seenIp"> {
  readonly entries: readonly VerificationEntry[];
  /** As of a Table. */
  readonly scrolls?: boolean;
}

export function VerificationTable({ entries, scrolls = false, ...rebind }: VerificationTableProps) {
  return (
    <Table columns={["Seen on", "Result", "Details", "Time"]} label="Verifications" scrolls={scrolls}>
      {entries.map((entry) => (
        <Row key={entry.id}>
          <Cell phone="title">
            <span className="font-mono">{entry.seenIp}</span>
          </Cell>
          <Cell phone="corner">
            <Badge tone={toneOfCode(entry.code)}>{verificationNames[entry.code]}</Badge>
          </Cell>
          <Cell label="Details" muted>
            <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1 max-md:justify-end">
              <Why boundIp={rebind.boundIp} entry={entry} />
              {entry.rebindable && (
                <Allowed to="licenses:write">
                  <Rebind {...rebind} seenIp={entry.seenIp} />
                </Allowed>
              )}
            </span>
          </Cell>
          <Cell label="Time" muted>
            <Timestamp format="exact" value={entry.checkedAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

/** Why it was answered so. `boundIp`: what the license is bound to now; it may have moved since. */
function Why({ entry: { code, seenIp }, boundIp }: { readonly entry: VerificationEntry; readonly boundIp: string }) {
  switch (code) {
    case "VALID":
      return "On the address it was bound to";
    case "IP_MISMATCH":
      return seenIp === boundIp ? (
        "It was bound to another address then"
      ) : (
        <span className="whitespace-nowrap">
          Bound to <span className="font-mono">{boundIp}</span>
        </span>
      );
    case "SUSPENDED":
      return "It was suspended";
    case "EXPIRED":
      return "Its term had ended";
    case "PENDING":
      return "The provider had not confirmed it yet";
    case "TERMINATED":
      return "It had been terminated";
    case "NOT_FOUND":
      return "There was no such license";
    default:
      return code satisfies never;
  }
}
