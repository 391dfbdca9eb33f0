import { Card } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { StatusBadge } from "#components/ui/status-badge.tsx";
import { Cell, HeaderCell, Row, RowControl, RowLink, Table, TableBody, TableHead } from "#components/ui/table.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import type { BundleDetails } from "./bundle-details.ts";

/** The licenses of a bundle, in its order. */
export function MemberTable({ bundle: { id, members } }: { readonly bundle: BundleDetails }) {
  return (
    <Card
      actions={
        <TextLink className="text-sm" href={`/licenses?instance=${id}`}>
          View in license list
        </TextLink>
      }
      flush
      title="Licenses"
    >
      <div className="border-t">
        <Table label="Licenses of the bundle">
          <TableHead>
            <HeaderCell>License</HeaderCell>
            <HeaderCell>Host name</HeaderCell>
            <HeaderCell>Key</HeaderCell>
            <HeaderCell>Status</HeaderCell>
          </TableHead>
          <TableBody>
            {members.map(({ licenseId, id: name, product, key, hostname, status, cores }) => (
              <Row key={name}>
                <Cell phone="title">
                  <RowLink href={`/licenses/${licenseId}`}>{product}</RowLink>
                  {cores !== null && (
                    <span className="ml-1.5 text-text-muted text-xs">{cores === 1 ? "1 core" : `${cores} cores`}</span>
                  )}
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
          </TableBody>
        </Table>
      </div>
    </Card>
  );
}
