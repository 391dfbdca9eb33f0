import type { Logger } from "pino";
import type { BreakerChange } from "#lib/adapters/provider-guard.ts";
import { READ_ONLY_SQL_STATE } from "#lib/db/connection/errors.ts";
import type { FailureWatch } from "#lib/domain/failure-watch.ts";
import { recordDatabaseFailure } from "#lib/server/page-request.ts";
import { createOutageLog, type OutageLog, type OutageReport } from "./outage-log.ts";

/** Outage logs of a process, each with a bounded number of lines. */
export interface OutageWatches {
  /** Connectivity over the lease's own connection. */
  readonly database: FailureWatch;
  readonly statements: FailureWatch;
  readonly replica: FailureWatch;
  readonly issuer: FailureWatch;
  /** The store of request counts. */
  readonly limiter: FailureWatch;
  provider(name: string): ProviderWatches;
  close(): void;
}

interface ProviderWatches {
  readonly changes: FailureWatch;
  readonly lookUps: FailureWatch;
  onBreakerChange(change: BreakerChange): void;
}

type Messages = Readonly<Record<OutageReport["event"], string>>;

const unreachable: Messages = {
  began: "the database is unreachable",
  continues: "the database is still unreachable",
  ended: "the database is reachable again",
  repeated: "the database was unreachable several times",
};
const readOnly: Messages = {
  began: "the database is read-only",
  continues: "the database is still read-only",
  ended: "the database is writable again",
  repeated: "the database was read-only several times",
};
const statements: Messages = {
  began: "a database statement failed",
  continues: "database statements still fail",
  ended: "database statements succeed again",
  repeated: "database statements failed several times",
};
const changes: Messages = {
  began: "the provider gives no clear answer to requests",
  continues: "the provider still gives no clear answer to requests",
  ended: "the provider answers requests again",
  repeated: "the provider gave no clear answer to several requests",
};
const lookUps: Messages = {
  began: "the provider does not answer a look-up",
  continues: "the provider still does not answer look-ups",
  ended: "the provider answers look-ups again",
  repeated: "the provider left several look-ups without an answer",
};
const issuer: Messages = {
  began: "the sign-in issuer gives no usable answer",
  continues: "the sign-in issuer still gives no usable answer",
  ended: "the sign-in issuer answers again",
  repeated: "the sign-in issuer gave no usable answer several times",
};
const replica: Messages = {
  began: "the replica does not answer: the primary does",
  continues: "the replica still does not answer",
  ended: "the replica answers again",
  repeated: "the replica did not answer several times",
};
const limiter: Messages = {
  began: "Redis does not count requests: each process counts for itself",
  continues: "Redis still does not count requests",
  ended: "Redis counts requests again",
  repeated: "Redis did not count requests several times",
};
const breaker: Readonly<Record<BreakerChange["state"], string>> = {
  open: "the provider's circuit breaker opened: nothing is sent for now",
  half_open: "the provider's circuit breaker is half open: one request probes the provider",
  closed: "the provider's circuit breaker closed",
};

export function watchOutages(log: Logger): OutageWatches {
  const opened: OutageLog[] = [];
  const providers = new Map<string, ProviderWatches>();

  function open(messagesFor: (report: OutageReport) => Messages, about: object = {}): OutageLog {
    const outages = createOutageLog(({ event, ...facts }) => {
      const message = messagesFor({ event, ...facts })[event];
      log[event === "ended" ? "info" : "warn"]({ ...about, ...facts }, message);
    });
    opened.push(outages);
    return outages;
  }

  function watchProvider(provider: string): ProviderWatches {
    return {
      changes: open(() => changes, { provider }),
      lookUps: open(() => lookUps, { provider }),
      onBreakerChange({ state, ...facts }) {
        log[state === "closed" ? "info" : "warn"]({ provider, ...facts }, breaker[state]);
      },
    };
  }

  const statementLog = open(() => statements);
  return {
    database: open(({ kinds }) => (READ_ONLY_SQL_STATE in kinds ? readOnly : unreachable)),
    statements: {
      ...statementLog,
      failed(kind) {
        recordDatabaseFailure();
        statementLog.failed(kind);
      },
    },
    replica: open(() => replica),
    issuer: open(() => issuer),
    limiter: open(() => limiter),
    provider(name) {
      const watches = providers.get(name) ?? watchProvider(name);
      providers.set(name, watches);
      return watches;
    },
    close() {
      for (const outages of opened) outages.close();
    },
  };
}
