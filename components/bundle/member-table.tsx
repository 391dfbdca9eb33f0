import { Card } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { StatusBadge } from "#components/ui/status-badge.tsx";
import { Cell, Row, RowControl, RowLink, Table } from "#components/ui/table.tsx";
import { CardLink } from "#components/ui/text-link.tsx";
import { countText } from "#lib/domain/count-text.ts";
import type { BundleDetails } from "./bundle-details.ts";

/** The licenses of a bundle, in its order. */
export function MemberTable({ bundle: { id, members } }: { readonly bundle: BundleDetails }) {
  return (
    <Card actions={<CardLink href={`/licenses?instance=${id}`}>View in license list</CardLink>} flush title="Licenses">
      <Table columns={["License", "Host name", "Key", "Status"]} label="Licenses of the bundle">
        {members.map(({ licenseId, id: name, product, key, hostname, status, cores }) => (
          <Row key={name}>
            <Cell phone="title">
              <RowLink href={`/licenses/${licenseId}`}>{product}</RowLink>
              {cores !== null && <span className="ml-1.5 text-text-muted text-xs">{countText(cores, "core")}</span>}
            </Cell>
            <Cell label="Host name" muted>
              {hostname === "" ? "Not reported yet" : hostname}
            </Cell>
            <Cell label="Key" mono>
              <RowControl>
                <span className="whitespace-nowrap">{key}</span>
                <CopyButton label={`Copy the key of ${name}`} value={key} />
              </RowControl>
            </Cell>
            <Cell phone="corner">
              <StatusBadge status={status} />
            </Cell>
          </Row>
        ))}
      </Table>
    </Card>
  );
}
