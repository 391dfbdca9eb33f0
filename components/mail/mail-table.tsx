import { Cell, Row, RowLink, Table } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { mailTitle } from "#lib/domain/mail/kinds.ts";
import type { MailRow } from "#lib/services/mail/outbox.ts";
import { MailOutcome, MailStateBadge } from "./mail-state.tsx";

export interface MailTableProps {
  readonly mails: readonly MailRow[];
  readonly hasServer: boolean;
}

export function MailTable({ mails, hasServer }: MailTableProps) {
  return (
    <Table columns={["Message", "To", "Status", "Result", "Written"]} label="Messages">
      {mails.map((mail) => (
        <Row key={mail.id}>
          <Cell phone="title">
            <RowLink href={`/outbox/${mail.id}`}>{mailTitle(mail.kind)}</RowLink>
          </Cell>
          <Cell label="To" muted>
            <span className="wrap-anywhere">{mail.recipient}</span>
          </Cell>
          <Cell phone="corner">
            <MailStateBadge hasServer={hasServer} mail={mail} />
          </Cell>
          <Cell label="Result" muted>
            <span className="wrap-anywhere">
              <MailOutcome hasServer={hasServer} mail={mail} />
            </span>
          </Cell>
          <Cell label="Written" muted>
            <Timestamp format="relative" value={mail.createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
