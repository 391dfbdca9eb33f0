import { Card } from "#components/ui/card.tsx";
import { Money } from "#components/ui/money.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { isOpen } from "#lib/domain/operation.ts";
import type { LicenseHistoryRow } from "#lib/services/license/history.ts";
import { describeEvent, operationNames } from "./event-text.ts";

/** `full`: nothing older has been left out. */
export function LicenseHistory({
  entries,
  full,
}: {
  readonly entries: readonly LicenseHistoryRow[];
  readonly full: boolean;
}) {
  return (
    <Card title="History">
      {entries.length === 0 ? (
        <p className="text-sm text-text-muted">Nothing has happened yet.</p>
      ) : (
        <ol className="flex flex-col gap-4">
          {entries.map((entry) => (
            <HistoryLine entry={entry} key={`${entry.operation?.id} ${entry.eventKind} ${entry.at.getTime()}`} />
          ))}
        </ol>
      )}
      {!full && <p className="mt-4 text-sm text-text-muted">Older entries are not shown.</p>}
    </Card>
  );
}

function HistoryLine({ entry: { at, eventKind, data, operation } }: { readonly entry: LicenseHistoryRow }) {
  const { title, detail, until } = eventKind
    ? describeEvent(eventKind, data)
    : { title: operation ? operationNames[operation.kind] : "Change", detail: null, until: null };
  const open = operation !== null && isOpen(operation.state);
  const failure = operation?.state === "rejected" ? operation.failureMessage : null;
  const charged = failure === null && operation?.price !== "0" ? operation : null;
  return (
    <li className="relative flex gap-3 pl-5 text-sm before:absolute before:top-2.5 before:-bottom-6.5 before:left-[0.21875rem] before:w-px before:bg-border last:before:hidden">
      <span
        aria-hidden
        className={`absolute top-1.5 left-0 size-2 rounded-full ring-4 ring-surface ${failure ? "bg-critical" : open ? "bg-accent-text" : "bg-border-control"}`}
      />
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          {title}
          {failure && eventKind === null && ": failed"}
          {open && ": not confirmed yet"}
        </p>
        {(failure ?? detail) && <p className="wrap-anywhere">{failure ?? detail}</p>}
        {until && (
          <p>
            until <Timestamp format="date" value={until} />
          </p>
        )}
        <p className="text-text-muted">
          <Timestamp value={at} />
          {operation?.reconciled && ", settled by asking the provider"}
        </p>
      </div>
      {charged && (
        <div className="text-right">
          <Money currency={charged.currency} minor={-BigInt(charged.price)} signed />
          <span className="block text-text-muted text-xs">
            {open ? "held" : charged.kind.startsWith("bundle_") ? "whole bundle" : ""}
          </span>
        </div>
      )}
    </li>
  );
}
