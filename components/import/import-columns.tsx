import { Download } from "lucide-react";
import { buttonClassName } from "#components/ui/button-style.ts";
import { Card } from "#components/ui/card.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import type { ImportColumn } from "#lib/domain/registration-import.ts";

export interface ImportOffer {
  readonly productId: number;
  readonly name: string;
  readonly cycles: readonly string[];
}

const meanings: Readonly<Record<ImportColumn, { readonly needed: boolean; readonly text: string }>> = {
  product: { needed: true, text: "Its name, type or ID." },
  ip_address: { needed: true, text: "The server's public IPv4 address." },
  cycle: { needed: false, text: "Its name or ID. Optional where a product has only one." },
  notes: { needed: false, text: "Order number, rack, …" },
  customer_name: { needed: false, text: "Your own customer." },
  customer_email: { needed: false, text: "Their email address." },
  customer_reference: { needed: false, text: "Your number for them." },
  tags: { needed: false, text: "Separated by commas." },
  auto_renew: { needed: false, text: "yes or no. Default: no." },
  cores: { needed: false, text: "Empty or 1: more are added after registering." },
};

/** What a table may have, with a template, and what is on sale. */
export function ImportColumns({ offers }: { readonly offers: readonly ImportOffer[] }) {
  return (
    <Card
      actions={
        // A file, not a page: the router must not fetch it.
        <a className={buttonClassName("secondary", "sm")} download href="/licenses/import/template">
          <Download />
          Template
        </a>
      }
      title="Columns"
    >
      <dl className="flex flex-col gap-2 text-sm">
        {Object.entries(meanings).map(([column, { needed, text }]) => (
          <div key={column}>
            <dt>
              <code className="font-mono text-xs">{column}</code>
              {needed && <span className="ml-2 text-text-muted text-xs">required</span>}
            </dt>
            <dd className="text-text-muted">{text}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-sm text-text-muted">Other columns are ignored, so an export can be imported.</p>
      <Disclosure className="mt-3" summary="Products and cycles on sale">
        <dl className="mt-1 flex max-h-72 flex-col gap-1.5 overflow-auto">
          {offers.map(({ productId, name, cycles }) => (
            <div key={productId}>
              <dt>
                {name} <span className="font-mono text-text-muted text-xs">{productId}</span>
              </dt>
              <dd className="text-text-muted">{cycles.join(", ")}</dd>
            </div>
          ))}
        </dl>
      </Disclosure>
    </Card>
  );
}
