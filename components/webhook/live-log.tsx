"use client";
import { ArrowUp } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { cx } from "#components/ui/cx.ts";
import { Pagination } from "#components/ui/pagination.tsx";
import type { LogPage } from "./log-row.ts";
import { LogTable } from "./log-table.tsx";
import { newDeliveriesText, useLiveLog } from "./use-live-log.ts";

export interface LiveLogProps {
  readonly initial: LogPage;
  /** The filters as in the address, with their question mark; "" for none. */
  readonly search: string;
  /** Shown while there are no rows. */
  readonly empty: ReactNode;
}

/** The newest deliveries, as they come. */
export function LiveLog({ initial, search, empty }: LiveLogProps) {
  const tableRef = useRef<HTMLDivElement>(null);
  const { rows, nextHref, total, heldCount, showHeld, announcement, connected } = useLiveLog(initial, search, tableRef);
  const [openedAtId] = useState(initial.rows[0]?.id ?? 0);

  function show() {
    showHeld();
    window.scrollTo({ top: 0 });
    // The button goes away; the rows that it brought are where to go on.
    tableRef.current?.focus({ preventScroll: true });
  }

  return (
    <div className="relative">
      <p className="sr-only" role="status">
        {announcement}
      </p>
      {heldCount > 0 && (
        <div className="pointer-events-none sticky top-24 z-30 h-0">
          <div className="-mt-4 flex justify-center">
            <Button
              className="enter-rise pointer-events-auto rounded-full shadow-overlay"
              icon={<ArrowUp />}
              onClick={show}
              size="sm"
              variant="primary"
            >
              {`Show ${newDeliveriesText(heldCount)}`}
            </Button>
          </div>
        </div>
      )}
      <Card flush>
        <p className="flex h-8 items-center gap-2 border-b px-4 text-text-muted text-xs">
          <span aria-hidden className={cx("size-2 rounded-full", connected ? "bg-positive" : "bg-caution")} />
          {connected ? "Live: new deliveries appear automatically" : "Not live: the server does not answer"}
        </p>
        <div className="outline-none" ref={tableRef} tabIndex={-1}>
          {rows.length === 0 ? empty : <LogTable openedAtId={openedAtId} rows={rows} />}
        </div>
        <Pagination count={rows.length} nextHref={nextHref} total={total} />
      </Card>
    </div>
  );
}
