import { Cell, HeaderCell, Row, Table, TableBody, TableHead } from "#components/ui/table.tsx";
import { formatLocale } from "#lib/domain/format-locale.ts";
import { bytesText } from "./bytes-text.ts";

export interface StorageLine {
  readonly name: string;
  /** An integer. */
  readonly bytes: string;
  readonly rows: number;
}

export function StorageTable({ tables }: { readonly tables: readonly StorageLine[] }) {
  return (
    <Table compact label="Largest tables">
      <TableHead>
        <HeaderCell>Table</HeaderCell>
        <HeaderCell align="end">Rows (est.)</HeaderCell>
        <HeaderCell align="end">Size with indexes</HeaderCell>
      </TableHead>
      <TableBody>
        {tables.map(({ name, bytes, rows }) => (
          <Row key={name}>
            <Cell phone="title">
              <span className="wrap-anywhere">{name}</span>
            </Cell>
            <Cell label="Rows (est.)" muted align="end">
              {rows.toLocaleString(formatLocale())}
            </Cell>
            <Cell label="Size with indexes" align="end">
              {bytesText(Number(bytes))}
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
