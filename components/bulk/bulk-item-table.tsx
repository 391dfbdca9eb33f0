import { atEnd } from "#components/ui/column.ts";
import { Link } from "#components/ui/link.tsx";
import { Money } from "#components/ui/money.tsx";
import { ObjectId } from "#components/ui/object-id.tsx";
import { Cell, Row, RowControl, RowLink, Table } from "#components/ui/table.tsx";
import { parseIpv4 } from "#lib/domain/ipv4.ts";
import type { BulkItemView } from "./bulk-job.ts";
import { BulkItemBadge } from "./bulk-state-badge.tsx";

/** What each item has come to, in the order in which they are done. */
export function BulkItemTable({
  subject,
  items,
  currency,
  free,
  undoing,
}: {
  /** What an item is, e.g. "License". */
  readonly subject: string;
  readonly items: readonly BulkItemView[];
  readonly currency: string;
  /** Nothing is charged, so there is no such column. */
  readonly free: boolean;
  /** What is done is still to be reverted. */
  readonly undoing: boolean;
}) {
  return (
    <Table columns={[subject, "Server", "Outcome", "Details", !free && atEnd("Charged")]} label="Results">
      {items.map((item) => (
        <Row key={item.position}>
          <Cell phone="title">
            <span className="block min-w-0">
              {item.href === null ? (
                <span className="font-medium">{item.subject}</span>
              ) : (
                <RowLink href={item.href}>{item.subject}</RowLink>
              )}
              {item.id !== null && <ObjectId className="ml-1.5">{item.id}</ObjectId>}
              {item.members.length > 0 && <Members of={item.members} />}
            </span>
          </Cell>
          <Cell label="Server" mono={parseIpv4(item.server) !== null}>
            <span className="wrap-anywhere">{item.server}</span>
          </Cell>
          <Cell phone="corner">
            <BulkItemBadge item={item} undoing={undoing} />
          </Cell>
          <Cell empty={item.message === null} label="Details" muted>
            <span className="wrap-anywhere text-right md:text-left">{item.message}</span>
          </Cell>
          {!free && (
            <Cell align="end" label="Charged" phone={item.charged === "0" ? "hidden" : "line"}>
              {item.charged !== "0" && <Money currency={currency} minor={item.charged} />}
            </Cell>
          )}
        </Row>
      ))}
    </Table>
  );
}

/** A bundle's licenses, below its name. */
function Members({ of }: { readonly of: BulkItemView["members"] }) {
  return (
    <ul aria-label="Licenses of the bundle" className="mt-0.5 flex flex-col text-xs">
      {of.map(({ id, name, href }) => (
        <li className="text-text-muted" key={id}>
          <RowControl>
            <Link className="py-1 hover:text-text hover:underline" href={href}>
              {name} <ObjectId className="ml-1.5">{id}</ObjectId>
            </Link>
          </RowControl>
        </li>
      ))}
    </ul>
  );
}
