"use client";
import { CircleAlert, Download } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Money } from "#components/ui/money.tsx";
import { Segmented } from "#components/ui/segmented.tsx";
import { Cell, Row, Table } from "#components/ui/table.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import { downloadProblems } from "./download-problems.ts";
import type { ImportPlanRow } from "./plan-view.ts";

const PAGE_SIZE = 50;
type Shown = "all" | "ready" | "problems";

/** Every row with its price or what is wrong with it, fifty at a time; those with problems first looked at. */
export function ImportRows({ rows, currency }: { readonly rows: readonly ImportPlanRow[]; readonly currency: string }) {
  const wrong = rows.filter(({ problems }) => problems.length > 0);
  const [shown, setShown] = useState<Shown>(wrong.length > 0 ? "problems" : "all");
  const [chosenStart, setStart] = useState(0);
  const listed = { all: rows, ready: rows.filter(({ price }) => price !== null), problems: wrong }[shown];
  // Checked again, the table may have fewer of these rows.
  const start = chosenStart < listed.length ? chosenStart : 0;
  const end = Math.min(start + PAGE_SIZE, listed.length);
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2 px-4 pb-2.5">
        <Segmented<Shown>
          label="Rows shown"
          onValueChange={(value) => {
            setShown(value);
            setStart(0);
          }}
          options={[
            { value: "all", label: `All ${numberText(rows.length)}` },
            { value: "ready", label: `Ready ${numberText(rows.length - wrong.length)}` },
            { value: "problems", label: `Problems ${numberText(wrong.length)}` },
          ]}
          value={shown}
        />
        {wrong.length > 0 && (
          <Button icon={<Download />} onClick={() => downloadProblems(wrong)} size="sm" variant="ghost">
            Download problem rows
          </Button>
        )}
      </div>
      {listed.length === 0 ? (
        <p className="border-t px-4 py-8 text-center text-sm text-text-muted">There is no such row.</p>
      ) : (
        <div className="border-t">
          <Table columns={["Line", "License", "Address", "Result"]} label="Rows of the table">
            {listed.slice(start, end).map((row) => (
              <ImportTableRow currency={currency} key={row.line} row={row} />
            ))}
          </Table>
        </div>
      )}
      {listed.length > PAGE_SIZE && (
        <nav
          aria-label="Rows"
          className="flex items-center justify-between gap-4 border-t px-4 py-2 text-sm text-text-muted"
        >
          <p className="tabular" role="status">
            {numberText(start + 1)}–{numberText(end)} of {numberText(listed.length)}
          </p>
          <div className="flex gap-1.5">
            <Button disabled={start === 0} onClick={() => setStart(start - PAGE_SIZE)} size="sm">
              Previous
            </Button>
            <Button disabled={end === listed.length} onClick={() => setStart(start + PAGE_SIZE)} size="sm">
              Next
            </Button>
          </div>
        </nav>
      )}
    </>
  );
}

function ImportTableRow({ row, currency }: { readonly row: ImportPlanRow; readonly currency: string }) {
  const labels = [row.customerName || row.customerEmail || row.customerReference, row.tags].filter(Boolean).join(" · ");
  return (
    <Row>
      <Cell label="Line" muted>
        <span className="tabular">{numberText(row.line)}</span>
      </Cell>
      <Cell phone="title">
        <span className="wrap-anywhere md:inline-block md:min-w-40">
          <span className="font-medium">{row.product || "No product"}</span>
          {row.cycle !== "" && <span className="ml-1.5 text-text-muted">{row.cycle}</span>}
          {labels !== "" && <span className="line-clamp-1 text-text-muted text-xs">{labels}</span>}
          {row.notes !== "" && <span className="line-clamp-1 text-text-muted text-xs">{row.notes}</span>}
        </span>
      </Cell>
      <Cell label="Address" mono>
        <span className="wrap-anywhere md:inline-block md:min-w-[15ch]">{row.address || "–"}</span>
      </Cell>
      <Cell label={row.price === null ? "Problem" : "Price"}>
        {row.price === null ? (
          <ul className="flex flex-col gap-0.5">
            {row.problems.map((problem) => (
              <li className="flex items-start gap-1.5 text-critical" key={problem}>
                <CircleAlert className="h-lh w-3.5 shrink-0" />
                <span className="wrap-anywhere self-baseline">{problem}</span>
              </li>
            ))}
          </ul>
        ) : (
          <Money currency={currency} minor={row.price} />
        )}
      </Cell>
    </Row>
  );
}
