import type { DatabaseFacts } from "#lib/db/doctor/facts.ts";
import type { Env } from "#lib/env.ts";

/** What checks look at. */
export interface Site {
  readonly env: Env;
  readonly databaseUrl: string;
  readonly facts: DatabaseFacts;
}

export type Status = "ok" | "warning" | "failed";

export interface Finding {
  readonly status: Status;
  /** What was found. */
  readonly detail: string;
  /** What to do; empty if all is well. */
  readonly remedy: string;
}

/** One question about an installation. One that throws has failed. */
export interface Check<Subject> {
  readonly name: string;
  readonly run: (subject: Subject) => Finding | Promise<Finding>;
}

export const ok = (detail: string): Finding => ({ status: "ok", detail, remedy: "" });
export const warning = (detail: string, remedy: string): Finding => ({ status: "warning", detail, remedy });
export const failed = (detail: string, remedy: string): Finding => ({ status: "failed", detail, remedy });

export const findingOf = (status: Status, detail: string, remedy: string): Finding =>
  status === "ok" ? ok(detail) : { status, detail, remedy };

export type Result = { readonly check: string } & Finding;

export async function runChecks<Subject>(checks: readonly Check<Subject>[], subject: Subject): Promise<Result[]> {
  const results: Result[] = [];
  for (const { name, run } of checks) {
    try {
      results.push({ check: name, ...(await run(subject)) });
    } catch (error) {
      results.push({ check: name, ...failed((error as Error).message, "") });
    }
  }
  return results;
}
