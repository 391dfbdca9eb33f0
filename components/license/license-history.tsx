import { Card } from "#components/ui/card.tsx";
import { Money } from "#components/ui/money.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { EventKind } from "#lib/domain/events.ts";
import type { OperationKind } from "#lib/domain/operation.ts";
import { describeEvent, operationNames } from "./event-text.ts";

export interface HistoryEntry {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Null for an operation that left no event: it is open, or was refused. */
  readonly event: EventKind | null;
  readonly data: Readonly<Record<string, string | number>>;
  readonly operation: {
    readonly kind: OperationKind;
    readonly open: boolean;
    /** Why it was refused; null otherwise. */
    readonly failure: string | null;
    /** The provider answered only when it was asked later. */
    readonly reconciled: boolean;
    /** Minor units, as decimal text; of the whole bundle where `ofBundle`. */
    readonly price: string;
    readonly currency: string;
    readonly ofBundle: boolean;
  } | null;
}

/** `full`: nothing older has been left out. */
export function LicenseHistory({
  entries,
  full,
}: {
  readonly entries: readonly HistoryEntry[];
  readonly full: boolean;
}) {
  return (
    <Card title="History">
      {entries.length === 0 ? (
        <p className="text-sm text-text-muted">Nothing has happened yet.</p>
      ) : (
        <ol className="flex flex-col gap-4">
          {entries.map((entry) => (
            <HistoryLine entry={entry} key={entry.id} />
          ))}
        </ol>
      )}
      {!full && <p className="mt-4 text-sm text-text-muted">Older entries are not shown.</p>}
    </Card>
  );
}

function HistoryLine({ entry: { at, event, data, operation } }: { readonly entry: HistoryEntry }) {
  const { title, detail } = event
    ? describeEvent(event, data)
    : { title: operation ? operationNames[operation.kind] : "Change", detail: null };
  const charged = operation !== null && operation.failure === null && operation.price !== "0" ? operation : null;
  return (
    <li className="relative flex gap-3 pl-5 text-sm before:absolute before:top-2.5 before:-bottom-6.5 before:left-[0.21875rem] before:w-px before:bg-border last:before:hidden">
      <span
        aria-hidden
        className={`absolute top-1.5 left-0 size-2 rounded-full ring-4 ring-surface ${operation?.failure ? "bg-critical" : operation?.open ? "bg-accent-text" : "bg-border-control"}`}
      />
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          {title}
          {operation?.failure && event === null && ": refused"}
          {operation?.open && ": not confirmed yet"}
        </p>
        {detail && <p className="wrap-anywhere">{detail}</p>}
        {operation?.failure && <p className="wrap-anywhere">{operation.failure}</p>}
        <p className="text-text-muted">
          <Timestamp value={at} />
          {operation?.reconciled && ", settled by asking the provider"}
        </p>
      </div>
      {charged && (
        <div className="text-right">
          <Money currency={charged.currency} minor={-BigInt(charged.price)} signed />
          <span className="block text-text-muted text-xs">
            {charged.open ? "held" : charged.ofBundle ? "whole bundle" : ""}
          </span>
        </div>
      )}
    </li>
  );
}
