import { sentenceCase } from "./text.ts";

interface JobText {
  readonly title: string;
  /** One sentence for operators. */
  readonly meaning: string;
}

/** What the worker runs by the clock, by the name that the log, the metrics and `job_runs` have; all else has the title. */
export const scheduledJobTexts = {
  renew_due: { title: "Renew licenses", meaning: "Starts the renewals that auto-renew has to make by now." },
  emit_expiry_notices: {
    title: "Report expiry",
    meaning: "Reports licenses that expire soon or have expired, to webhooks and in the dashboard.",
  },
  end_false_waits: {
    title: "Correct waits",
    meaning: "Starts at once what a clock that was ahead has put off for too long.",
  },
  queue_digest_mails: {
    title: "Write digests",
    meaning: "Writes the messages that gather failed renewals, licenses that expire soon, and new cases.",
  },
  queue_problem_mails: { title: "Report problems", meaning: "Writes to admins about failing checks of this page." },
  wake_bulk_jobs: { title: "Continue jobs", meaning: "Continues jobs whose worker ended or was not woken." },
  announce_prices: {
    title: "Report price rises",
    meaning: "Reports renewals that will cost more than agreed, before they are due.",
  },
  detect_drift: {
    title: "Compare with providers",
    meaning: "Compares our books with each provider's, and opens a case for each difference.",
  },
  maintain_partitions: {
    title: "Prepare log tables",
    meaning: "Creates the next weeks of the large logs, and drops those past their retention.",
  },
  prune: { title: "Delete old records", meaning: "Deletes what is older than its retention." },
  check_ledger: { title: "Check wallets", meaning: "Compares every wallet with its entries, as “wallet verify” does." },
  verify_audit_log: {
    title: "Verify audit log",
    meaning: "Recomputes the audit log's hash chain, which any change of an entry breaks.",
  },
  queue_runway_mails: {
    title: "Warn of low runway",
    meaning: "Writes to resellers whose balance does not pay for the renewals of the next 14 days.",
  },
  back_up: { title: "Back up", meaning: "Makes and verifies the day's backup, if BACKUP_DIR is set." },
} as const satisfies Readonly<Record<string, JobText>>;

export type ScheduledJobName = keyof typeof scheduledJobTexts;

/** Of another version's job, its name alone. */
export function describeScheduledJob(name: string): JobText {
  const texts: Readonly<Partial<Record<string, JobText>>> = scheduledJobTexts;
  return texts[name] ?? { title: sentenceCase(name.replaceAll("_", " ")), meaning: "" };
}

/** Names scheduled jobs to operators: “Renew licenses”, “Back up”. */
export function jobTitlesText(names: readonly string[]): string {
  return names.map((name) => `“${describeScheduledJob(name).title}”`).join(", ");
}
