"use client";
import { type ReactNode, useEffect, useRef } from "react";
import { markupText } from "#components/catalog/describe-cycle.ts";
import { PricesText } from "#components/catalog/prices-text.tsx";
import { SubmissionError } from "#components/form/submission-error.tsx";
import type { SubmissionFailure } from "#components/form/use-submission.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Banner } from "#components/ui/banner.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { atEnd } from "#components/ui/column.ts";
import { Cell, Row, Table } from "#components/ui/table.tsx";
import { countText, numberText } from "#lib/domain/count-text.ts";
import type { ImportedCycle } from "#lib/services/catalog/import-cycle.ts";
import type { ImportResult } from "#lib/services/catalog/import-from-provider.ts";
import type { ImportedProduct } from "#lib/services/catalog/plan-import.ts";

export interface ImportPlanProps {
  readonly plan: ImportResult;
  readonly pending: boolean;
  readonly failure: SubmissionFailure | null;
  readonly onApply: () => void;
}

/** What an import would do, product by product. */
export function ImportPlanView({ plan, pending, failure, onApply }: ImportPlanProps) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus(), []);
  const { products, missing, missingCycles, skipped } = plan;
  const of = (status: ImportedProduct["status"]) => products.filter((product) => product.status === status);
  const [added, changed, unchanged] = [of("new"), of("changed"), of("unchanged")];
  const ownBelow = products
    .flatMap(({ cycles }) => cycles)
    .reduce((sum, cycle) => sum + cycle.overridesBelowCost.length, 0);
  const work = added.length + changed.length;
  return (
    <section aria-labelledby="plan" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div>
          <h2 className="font-semibold text-lg outline-none" id="plan" ref={ref} tabIndex={-1}>
            Planned changes
          </h2>
          <p className="tabular text-sm text-text-muted">
            {countsText([
              [added.length, "new"],
              [changed.length, "changed"],
              [unchanged.length, "unchanged"],
              [missing.length, "no longer sold there"],
              [
                missingCycles.length,
                missingCycles.length === 1 ? "cycle no longer sold there" : "cycles no longer sold there",
              ],
            ])}
          </p>
        </div>
        <Button disabled={work === 0} loading={pending} onClick={onApply} variant="primary">
          {work === 0 ? "Nothing to apply" : `Apply to ${work === 1 ? "1 product" : `${work} products`}`}
        </Button>
      </div>
      {failure && <SubmissionError failure={failure} refusalNote="Nothing was changed." />}
      {ownBelow > 0 && (
        <Banner title="Some resellers' own prices are below cost now" tone="caution">
          An import never touches them: look at them on those resellers' pages.
        </Banner>
      )}
      <Group label="New" products={added} />
      <Group label="Changed" products={changed} />
      {missing.length > 0 && (
        <Card description="They stay on sale here until you retire them." title="No longer sold there">
          <Codes codes={missing} />
        </Card>
      )}
      {missingCycles.length > 0 && (
        <Card description="They stay on sale here until you retire them." title="Cycles no longer sold there">
          <Codes codes={missingCycles.map(({ slug, months }) => `${slug}, ${countText(months, "month")}`)} />
        </Card>
      )}
      {skipped.length > 0 && (
        <Card description="They cannot be imported as they are." title="Skipped">
          <ul className="flex flex-col gap-1 text-sm">
            {skipped.map(({ sku, cycle, reason }) => (
              <li key={`${sku} ${cycle}`}>
                <code className="font-mono text-xs">{sku}</code>
                {cycle !== null && (
                  <>
                    , cycle <code className="font-mono text-xs">{cycle}</code>
                  </>
                )}
                : {reason}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {unchanged.length > 0 && (
        <Card title="Unchanged">
          <Codes codes={unchanged.map(({ change }) => change.slug)} />
        </Card>
      )}
    </section>
  );
}

/** "2 new, 1 changed"; what there is none of is left out. */
function countsText(counts: readonly (readonly [count: number, what: string])[]): string {
  const some = counts.filter(([count]) => count > 0);
  return some.length === 0 ? "No products" : some.map(([count, what]) => `${numberText(count)} ${what}`).join(", ");
}

function Codes({ codes }: { readonly codes: readonly string[] }): ReactNode {
  return (
    <ul className="flex flex-wrap gap-1.5">
      {codes.map((code) => (
        <li key={code}>
          <Badge>
            <code className="font-mono">{code}</code>
          </Badge>
        </li>
      ))}
    </ul>
  );
}

function Group({ label, products }: { readonly label: string; readonly products: readonly ImportedProduct[] }) {
  if (products.length === 0) return null;
  return (
    <Card flush title={label}>
      <ImportTable label={label} products={products} />
    </Card>
  );
}

interface ImportTableProps {
  readonly label: string;
  readonly products: readonly ImportedProduct[];
}

/** Each cycle of each product: what it costs us, what it is sold for now, and then. */
function ImportTable({ label, products }: ImportTableProps) {
  return (
    <Table
      columns={[
        "Product",
        "Cycle",
        atEnd("Costs us"),
        atEnd("List price now"),
        atEnd("New list price"),
        atEnd("Markup"),
      ]}
      label={label}
    >
      {products.flatMap(({ change, cycles }) =>
        cycles.map(({ cycle, status, currency, cost, before, belowCost }) => (
          <Row key={`${change.providerSku} ${cycle.months}`}>
            <Cell phone="title">
              <span className="block min-w-0 py-0.5">
                <span className="font-medium">{change.name}</span>
                <span className="wrap-anywhere block font-mono text-text-muted text-xs">{change.slug}</span>
              </span>
            </Cell>
            <Cell label="Cycle">
              <span className="inline-flex flex-wrap items-center gap-1.5">
                {cycle.name}
                <CycleMark belowCost={belowCost} status={status} />
              </span>
            </Cell>
            <Cell align="end" label="Costs us" muted>
              <span className="text-right">
                <PricesText currency={currency} prices={cost} />
              </span>
            </Cell>
            <Cell align="end" label="List price now" muted>
              <span className="text-right">
                <PricesText currency={currency} prices={before} />
              </span>
            </Cell>
            <Cell align="end" label="New list price">
              <span className="text-right">
                <PricesText currency={currency} prices={cycle.price} />
              </span>
            </Cell>
            <Cell align="end" label="Markup" muted>
              {markupText(cycle.price.price, cost.price) ?? "Free"}
            </Cell>
          </Row>
        )),
      )}
    </Table>
  );
}

function CycleMark({ status, belowCost }: Pick<ImportedCycle, "status" | "belowCost">) {
  return (
    <>
      {status === "unchanged" && <Badge>Unchanged</Badge>}
      {belowCost === "allowed" && <Badge tone="critical">Below cost</Badge>}
      {belowCost === "raised_to_cost" && <Badge tone="caution">Raised to cost</Badge>}
    </>
  );
}
