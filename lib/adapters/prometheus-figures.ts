import { Gauge, type Registry } from "prom-client";
import type { Figures } from "#lib/domain/figures.ts";
import { type Currency, toMajorNumber } from "#lib/domain/money.ts";
import { describeScheduledJob } from "#lib/domain/scheduled-jobs.ts";

interface FigureGauge {
  readonly name: string;
  readonly help: string;
  readonly labelName?: string;
  /** For a further label `title`, by the first. */
  readonly titleOf?: (label: string) => string;
  /** Values by label; by an empty text without a label. Null: unknown, and left out. */
  read(figures: Figures): Readonly<Record<string, number | null>>;
}

const byState = (figures: Figures, read: (one: Figures["operations"][number]) => number) =>
  Object.fromEntries(figures.operations.map((one) => [one.state, read(one)]));

const gauges: readonly FigureGauge[] = [
  {
    name: "license_desk_open_operations",
    help: "Operations whose outcome is open, by state.",
    labelName: "state",
    read: (figures) => byState(figures, ({ count }) => count),
  },
  {
    name: "license_desk_open_operation_age_seconds",
    help: "Age of the oldest open operation, by state; 0 without one.",
    labelName: "state",
    read: (figures) => byState(figures, ({ age }) => age),
  },
  {
    name: "license_desk_held_money",
    help: "Money held by open operations, in major units, by currency.",
    labelName: "currency",
    read: ({ held }) => Object.fromEntries(held.map(({ currency, amount }) => [currency, major(amount, currency)])),
  },
  {
    name: "license_desk_queue_due_jobs",
    help: "Jobs of the queue that are due and not started.",
    read: ({ queue }) => ({ "": queue.due }),
  },
  {
    name: "license_desk_queue_lag_seconds",
    help: "How long the oldest due job has waited.",
    read: ({ queue }) => ({ "": queue.age }),
  },
  {
    name: "license_desk_webhook_due_deliveries",
    help: "Deliveries that are due, at endpoints whose last attempt did not fail.",
    read: ({ deliveries }) => ({ "": deliveries.due }),
  },
  {
    name: "license_desk_webhook_lag_seconds",
    help: "How long the oldest of these deliveries has waited.",
    read: ({ deliveries }) => ({ "": deliveries.age }),
  },
  {
    name: "license_desk_mail_due_messages",
    help: "Messages of the outbox that wait: due, or not accepted while no newer one was.",
    read: ({ mails }) => ({ "": mails.due }),
  },
  {
    name: "license_desk_mail_lag_seconds",
    help: "How long the oldest waiting message has waited.",
    read: ({ mails }) => ({ "": mails.age }),
  },
  {
    name: "license_desk_processes",
    help: "Live processes, over all instances.",
    read: ({ processes }) => ({ "": processes }),
  },
  {
    name: "license_desk_workers",
    help: "Live processes with a worker, over all instances.",
    read: ({ workers }) => ({ "": workers }),
  },
  {
    name: "license_desk_job_age_seconds",
    help: "Since the last completed run of a scheduled job began, by name; absent before the first one.",
    labelName: "name",
    read: ({ jobs }) => Object.fromEntries(jobs.map(({ name, age }) => [name, age])),
  },
  {
    name: "license_desk_job_late",
    help: "1 if a scheduled job has been due for 15 minutes and no process runs it, else 0, by name and title.",
    labelName: "name",
    titleOf: (name) => describeScheduledJob(name).title,
    read: ({ jobs }) => Object.fromEntries(jobs.map(({ name, late }) => [name, late ? 1 : 0])),
  },
  {
    name: "license_desk_ledger_differences",
    help: "Differences that the newest check of all wallets found; absent before the first check.",
    read: ({ ledgerDifferences }) => ({ "": ledgerDifferences }),
  },
  {
    name: "license_desk_last_ledger_check_timestamp_seconds",
    help: "When all wallets were last checked; absent before the first check.",
    read: ({ ledgerCheckedAt }) => ({ "": ledgerCheckedAt }),
  },
  {
    name: "license_desk_last_backup_timestamp_seconds",
    help: "When the newest verified backup was begun; absent before the first one.",
    read: ({ lastBackupAt }) => ({ "": lastBackupAt }),
  },
  {
    name: "license_desk_archive_lag_seconds",
    help: "How long the archive has not been complete; absent without one, and before its first copy of the database.",
    read: ({ archive }) => ({ "": archive?.hasCopy || archive?.problem ? archive.age : null }),
  },
  {
    name: "license_desk_partitions_end_timestamp_seconds",
    help: "Until when new rows have a partition, by table; absent without one.",
    labelName: "table",
    read: ({ partitions }) => Object.fromEntries(partitions.map(({ table, end }) => [table, end])),
  },
  {
    name: "license_desk_partitions_stray_rows",
    help: "1 if the default partition has rows because their own is missing, else 0, by table.",
    labelName: "table",
    read: ({ partitions }) => Object.fromEntries(partitions.map(({ table, hasStrays }) => [table, hasStrays ? 1 : 0])),
  },
];

function major(amount: string, currency: Currency): number {
  return toMajorNumber(BigInt(amount), currency);
}

/**
 * Gauges of what the database knows. A scrape reads it once; `read` caches, and returns null while the database is away.
 * All instances report the same, so the largest is taken where several processes answer one scrape.
 */
export function registerFigures(registry: Registry, read: () => Promise<Figures | null>): void {
  const registers = [registry];
  new Gauge({
    name: "license_desk_up",
    help: "1 if the figures of this part could be read, else 0; without them, the gauges that need it are absent.",
    labelNames: ["part"],
    registers,
    aggregator: "min",
    async collect() {
      this.set({ part: "database" }, (await read()) === null ? 0 : 1);
    },
  });
  for (const { name, help, labelName, titleOf, read: readValues } of gauges) {
    new Gauge({
      name,
      help,
      labelNames: [...(labelName === undefined ? [] : [labelName]), ...(titleOf ? ["title"] : [])],
      registers,
      aggregator: "max",
      async collect() {
        const figures = await read();
        this.reset();
        // A gauge without labels would be 0.
        if (labelName === undefined) this.remove();
        for (const [label, value] of Object.entries(figures === null ? {} : readValues(figures))) {
          if (value === null) continue;
          const title = titleOf ? { title: titleOf(label) } : {};
          this.set(labelName === undefined ? {} : { [labelName]: label, ...title }, value);
        }
      },
    });
  }
}
