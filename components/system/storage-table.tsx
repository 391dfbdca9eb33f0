import { atEnd } from "#components/ui/column.ts";
import { Cell, Row, Table } from "#components/ui/table.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import { bytesText } from "./bytes-text.ts";

export interface StorageLine {
  readonly name: string;
  /** An integer. */
  readonly bytes: string;
  readonly rows: number;
}

export function StorageTable({ tables }: { readonly tables: readonly StorageLine[] }) {
  return (
    <Table columns={["Table", atEnd("Rows (est.)"), atEnd("Size with indexes")]} compact label="Largest tables">
      {tables.map(({ name, bytes, rows }) => (
        <Row key={name}>
          <Cell phone="title">
            <span className="wrap-anywhere">{name}</span>
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
