import type { FailureWatch } from "#lib/domain/failure-watch.ts";

export interface OutageLog extends FailureWatch {
  close(): void;
}

export interface OutageReport {
  /**
   * `began`: first failure. `continues`: every minute. `ended`: first success. `repeated`: failures that began and
   * ended within a minute of another outage.
   */
  readonly event: "began" | "continues" | "ended" | "repeated";
  /** Since the outage began. */
  readonly failures: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly lastKind: string;
  readonly seconds: number;
}

const EVERY_MS = 60_000;
const MAX_KINDS = 8;
const OTHER_KINDS = "other";
const MS_PER_SECOND = 1_000;

/** Reports at most three times per minute: when an outage begins, while it lasts, when it ends. */
export function createOutageLog(report: (report: OutageReport) => void, everyMs = EVERY_MS): OutageLog {
  let failures = 0;
  let kinds = new Map<string, number>();
  let lastKind = "";
  let sinceMs = 0;
  let isOut = false;
  /** Whether the start of this outage was reported; it is not within a minute of another. */
  let isReported = false;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  function send(event: OutageReport["event"]): void {
    const seconds = Math.round((Date.now() - sinceMs) / MS_PER_SECOND);
    report({ event, failures, kinds: Object.fromEntries(kinds), lastKind, seconds });
  }

  function forget(): void {
    failures = 0;
    kinds = new Map();
  }

  function tick(): void {
    if (isOut) {
      send(isReported ? "continues" : "began");
      isReported = true;
      return;
    }
    if (failures > 0) {
      send("repeated");
      forget();
      return;
    }
    if (timer) clearInterval(timer);
    timer = null;
  }

  return {
    failed(kind) {
      if (closed) return;
      if (failures === 0) sinceMs = Date.now();
      failures += 1;
      const counted = kinds.has(kind) || kinds.size < MAX_KINDS ? kind : OTHER_KINDS;
      kinds.set(counted, (kinds.get(counted) ?? 0) + 1);
      lastKind = kind;
      isOut = true;
      if (timer) return;
      timer = setInterval(tick, everyMs).unref();
      isReported = true;
      send("began");
    },
    succeeded() {
      if (!isOut) return;
      isOut = false;
      if (!isReported) return;
      isReported = false;
      send("ended");
      forget();
    },
    close() {
      closed = true;
      if (timer) clearInterval(timer);
    },
  };
}
