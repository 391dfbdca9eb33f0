import { Badge } from "#components/ui/badge.tsx";
import { Card } from "#components/ui/card.tsx";
import { cx } from "#components/ui/cx.ts";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { durationText } from "#components/ui/duration-text.ts";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { AttemptRow, EventDelivery } from "#lib/services/webhook/get-event.ts";
import { isUnderWay } from "./describe-endpoint.ts";
import { Until } from "./until.tsx";

/** Every attempt, the newest first, and the one that is planned. */
export function AttemptTimeline({ delivery }: { readonly delivery: EventDelivery }) {
  const { attempts, nextAttemptAt } = delivery;
  const underWay = isUnderWay(delivery);
  return (
    <Card title="Attempts">
      {attempts.length === 0 && nextAttemptAt === null ? (
        <p className="text-sm text-text-muted">Nothing was sent.</p>
      ) : (
        <ol className="flex flex-col gap-4">
          {nextAttemptAt !== null && !underWay && (
            <Entry dot="border-2 border-accent-text bg-surface">
              <p className="font-medium">
                Next attempt <Until value={nextAttemptAt} />
              </p>
              <p className="text-text-muted">
                <Timestamp format="exact" value={nextAttemptAt} />
              </p>
            </Entry>
          )}
          {attempts.toReversed().map((attempt) => (
            <Attempt attempt={attempt} key={attempt.number} underWay={underWay && attempt.number === attempts.length} />
          ))}
        </ol>
      )}
    </Card>
  );
}

function Entry({ dot, children }: { readonly dot: string; readonly children: React.ReactNode }) {
  return (
    <li className="relative pl-5 text-sm before:absolute before:top-2.5 before:-bottom-6.5 before:left-[0.21875rem] before:w-px before:bg-border last:before:hidden">
      <span aria-hidden className={cx("absolute top-1.5 left-0 size-2 rounded-full ring-4 ring-surface", dot)} />
      {children}
    </li>
  );
}

function Attempt({ attempt, underWay }: { readonly attempt: AttemptRow; readonly underWay: boolean }) {
  const { number, succeeded, startedAt, durationMs, error, manual } = attempt;
  return (
    <Entry dot={succeeded ? "bg-positive" : underWay ? "bg-accent-text" : "bg-critical"}>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">Attempt {number}</span>
        <Badge tone={succeeded ? "positive" : underWay ? "accent" : "critical"}>{verdictOf(attempt, underWay)}</Badge>
        {durationMs !== null && <span className="tabular text-text-muted">{durationText(durationMs)}</span>}
        {manual && <span className="text-text-muted">resent</span>}
      </p>
      {error && <p className="wrap-anywhere mt-0.5">{error}</p>}
      <p className="text-text-muted">
        <Timestamp format="exact" value={startedAt} />
      </p>
      <Exchange attempt={attempt} />
    </Entry>
  );
}

function verdictOf({ succeeded, status }: AttemptRow, underWay: boolean): string {
  if (underWay) return "In progress";
  if (status !== null) return `HTTP ${status}`;
  return succeeded ? "Succeeded" : "No answer";
}

/** What was sent and what came back, to be unfolded. Without an answer, and of a chat's, nothing of it is kept. */
function Exchange({ attempt: { requestHeaders, responseStart, number } }: { readonly attempt: AttemptRow }) {
  if (requestHeaders === null && responseStart === null) return null;
  return (
    <Disclosure
      className="mt-1"
      summary={
        <>
          {responseStart === null ? "Request" : "Request and answer"}
          <span className="sr-only"> of attempt {number}</span>
        </>
      }
    >
      <div className="mt-2 flex flex-col gap-3 rounded-md bg-surface-sunken p-3 text-xs">
        {requestHeaders !== null && (
          <div>
            <p className="mb-1 font-medium text-text-muted">Request headers</p>
            <dl className="flex flex-col gap-1 font-mono">
              {Object.entries(requestHeaders).map(([name, value]) => (
                <div className="wrap-anywhere" key={name}>
                  <dt className="inline text-text-muted">{name}: </dt>
                  <dd className="inline">{value}</dd>
                </div>
              ))}
            </dl>
          </div>
        )}
        {responseStart !== null && (
          <div>
            <p className="mb-1 font-medium text-text-muted">Start of the answer</p>
            {responseStart !== "" ? (
              <pre className="wrap-anywhere whitespace-pre-wrap font-mono leading-5">{responseStart}</pre>
            ) : (
              <p className="text-text-muted">It was empty.</p>
            )}
          </div>
        )}
      </div>
    </Disclosure>
  );
}
