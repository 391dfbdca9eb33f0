import { ArrowRight } from "lucide-react";
import type { AuditLine } from "./audit.ts";

const termClassName = "text-text-muted first-letter:uppercase";

/** False where a reseller's log shows no more of an administrator's entry than its name. */
export function hasDetails({ changes, facts, reason, requestId }: AuditLine): boolean {
  return changes.length > 0 || facts.length > 0 || reason !== "" || requestId !== "";
}

/** All that an entry says: what was before and after, side by side, then its other facts. */
export function AuditDetails({ line }: { readonly line: AuditLine }) {
  const { changes, facts, reason, address, action, actor, whoHref, requestId } = line;
  const source = [
    { term: "action", value: action },
    // Resellers do not read which administrator it was.
    { term: "actor", value: whoHref === null ? "" : actor },
    { term: "from", value: address },
    { term: "request", value: requestId },
  ].filter(({ value }) => value !== "");
  return (
    <div className="flex w-full flex-col gap-3 py-1 text-sm md:py-2">
      {reason !== "" && <p className="wrap-anywhere max-w-prose">{reason}</p>}
      {changes.length > 0 && (
        <dl className="grid gap-x-4 gap-y-1.5 md:grid-cols-[minmax(8rem,max-content)_minmax(0,1fr)]">
          {changes.map(({ field, before, after }) => (
            <div className="contents" key={field}>
              <dt className={termClassName}>{field}</dt>
              <dd className="wrap-anywhere grid grid-cols-[minmax(0,max-content)_auto_minmax(0,max-content)] items-baseline justify-start gap-x-2.5 max-md:mb-1">
                <span className="text-text-muted line-through decoration-text-muted/60">{before}</span>
                <ArrowRight aria-label="became" className="size-3.5 translate-y-0.5 text-text-muted" />
                <span className="font-medium">{after}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {facts.length > 0 && (
        <dl className="flex flex-wrap gap-x-8 gap-y-2">
          {facts.map(({ term, value }) => (
            <div className="min-w-0 max-w-full" key={term}>
              <dt className={`text-xs ${termClassName}`}>{term}</dt>
              <dd className="wrap-anywhere max-w-prose">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <dl className="flex flex-wrap gap-x-6 gap-y-1 text-xs">
        {source.map(({ term, value }) => (
          <div className="flex min-w-0 gap-1.5" key={term}>
            <dt className={termClassName}>{term}</dt>
            <dd className="wrap-anywhere font-mono">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
