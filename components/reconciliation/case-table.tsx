import { Fragment } from "react";
import { atEnd } from "#components/ui/column.ts";
import { ObjectId } from "#components/ui/object-id.tsx";
import { Cell, Row, RowLink, Table } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { formatLicenseId } from "#lib/domain/ids.ts";
import type { CaseListItem } from "#lib/services/reconciliation/list-cases.ts";
import { CaseKindBadge } from "./case-kind-badge.tsx";
import { listDifferences, resolutionNames, stakeOf } from "./case-text.ts";

export function CaseTable({ rows, resolved }: { readonly rows: readonly CaseListItem[]; readonly resolved: boolean }) {
  return (
    <Table
      columns={[
        "License",
        "Case",
        "Server",
        "Difference",
        "Reseller",
        atEnd("At stake"),
        resolved ? "Closed" : "First seen",
      ]}
      label="Cases"
    >
      {rows.map((row) => (
        <CaseTableRow key={row.id} row={row} />
      ))}
    </Table>
  );
}

function CaseTableRow({ row }: { readonly row: CaseListItem }) {
  const differences = listDifferences(row.facts);
  const server = row.facts.ours?.address ?? row.facts.provider?.address ?? null;
  const stake = stakeOf(row.value);
  return (
    <Row>
      <Cell phone="title">
        <span className="block min-w-0 py-0.5">
          <RowLink href={`/reconciliation/${row.id}`}>
            {row.licenseId === null ? (
              <span className="wrap-anywhere">{row.reference}</span>
            ) : (
              <>
                {row.productName ?? "License"}{" "}
                <ObjectId className="block">
                  {formatLicenseId(row.licenseId)}
                  <span className="max-2xl:hidden"> · {row.reference}</span>
                </ObjectId>
              </>
            )}
          </RowLink>
        </span>
      </Cell>
      <Cell phone="corner">
        <CaseKindBadge kind={row.kind} />
      </Cell>
      <Cell empty={server === null} label="Server" mono>
        {server}
      </Cell>
      <Cell empty={differences.length === 0} label="Difference">
        <span className="wrap-anywhere text-right md:text-left">
          {differences.map(({ fact, ours, theirs, mono }, index) => (
            <Fragment key={fact}>
              {index > 0 && ", "}
              <span className={mono ? "font-mono text-xs" : undefined}>
                {ours}&nbsp;<span className="font-sans">→</span> {theirs}
                {fact === "cores" && " cores"}
              </span>
            </Fragment>
          ))}
        </span>
      </Cell>
      <Cell label="Reseller" muted>
        {row.resellerName ?? "None"}
      </Cell>
      <Cell align="end" label="At stake" phone={stake === null ? "hidden" : "line"}>
        {stake !== null && (
          <span className="tabular whitespace-nowrap text-right">
            {stake.amount} <span className="block text-text-muted text-xs">{stake.worth}</span>
          </span>
        )}
      </Cell>
      <Cell label={row.resolvedAt ? "Closed" : "First seen"} muted>
        <span className="whitespace-nowrap">
          {row.resolution && <span className="mr-2 text-text">{resolutionNames[row.resolution]}</span>}
          <Timestamp format="relative" value={row.resolvedAt ?? row.firstSeenAt} />
        </span>
      </Cell>
    </Row>
  );
}
