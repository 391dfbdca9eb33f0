import { setTimeout as sleep } from "node:timers/promises";
import { Argument, Command, Option } from "commander";
import { toMajorNumber } from "#lib/domain/money.ts";
import { type CaseAction, type CaseKind, caseActions, caseKinds } from "#lib/domain/reconciliation.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { getProvider } from "#lib/services/provider/get.ts";
import { actOnCase } from "#lib/services/reconciliation/act.ts";
import { type ComparisonSummary, detectDrift } from "#lib/services/reconciliation/detect-drift.ts";
import { getCase, type ReconciliationCase } from "#lib/services/reconciliation/get-case.ts";
import { type CaseListItem, listCases } from "#lib/services/reconciliation/list-cases.ts";
import { readInteger } from "./options.ts";
import { note, printJson, timestampOrNull } from "./output.ts";
import { runAsOperator } from "./run.ts";

const PAGE_SIZE = 100;
/** Exit code after a comparison that found differences. */
const DIFFERS = 3;
/** Longer than it takes to replace a process that died while comparing. */
const WAIT_MS = 15 * 60_000;
const WAIT_STEP_MS = 2_000;

type ListOptions = { kind?: CaseKind; provider?: string; resolved?: boolean; before?: number | null };
type CompareOptions = { provider?: string; complete?: boolean };
type ActOptions = { case: number; reason: string };

export function reconciliationCommand(): Command {
  const noun = new Command("reconciliation").description("differences between ledger, licenses and providers' books");
  noun
    .command("compare")
    .description(
      "compare every paid fact of providers' books with ours now, to the end, and open a case for each difference; " +
        `exit code 1: a provider could not be compared, ${DIFFERS}: cases are open`,
    )
    .option("--provider <name>", "only this one")
    .option("--complete", "read each license's record if the list lacks facts, which may take long")
    .action(async (options: CompareOptions) => {
      const summaries = await runAsOperator((ctx) => compareCompletely(ctx, options));
      printJson(summaries.map(presentSummary));
      if (summaries.some(({ outcome }) => outcome !== "compared")) process.exitCode = 1;
      else if (summaries.some(({ openCases }) => Object.keys(openCases).length > 0)) process.exitCode = DIFFERS;
    });
  noun
    .command("list")
    .description(`list open cases, newest first, ${PAGE_SIZE} at a time`)
    .addOption(new Option("--kind <kind>", "only of this kind").choices([...caseKinds]))
    .option("--provider <name>", "only of this provider")
    .option("--resolved", "closed ones instead")
    .option("--before <id>", "older than this case", readInteger)
    .action(async ({ kind, provider, resolved = false, before = null }: ListOptions) => {
      const input = { filter: { kind, provider, resolved }, before, after: null, limit: PAGE_SIZE };
      const { rows: cases, next } = await runAsOperator(async (ctx) => {
        if (provider !== undefined) await getProvider(ctx, provider);
        return listCases(ctx, input);
      });
      printJson({ cases: cases.map(present), next_before: next });
    });
  noun
    .command("show")
    .description("show one case, with the effect of each action")
    .requiredOption("--case <id>", "which case", readInteger)
    .action(async ({ case: caseId }: { case: number }) => {
      printJson(presentCase(await runAsOperator((ctx) => getCase(ctx, { caseId }))));
    });
  noun
    .command("act")
    .description("settle one case; docs/decisions/0008-reconciliation-inbox.md explains the actions")
    .addArgument(new Argument("<action>", "the action").choices([...caseActions]))
    .requiredOption("--case <id>", "which case", readInteger)
    .requiredOption("--reason <text>", "the recorded reason")
    .action(async (action: CaseAction, { case: caseId, reason }: ActOptions) => {
      const { resolution } = await runAsOperator((ctx) => actOnCase(ctx, { caseId, action, reason }));
      printJson({ case: caseId, resolution });
    });
  return noun;
}

/** Compares again after another process has finished comparing. */
async function compareCompletely(ctx: ServiceContext, options: CompareOptions): Promise<readonly ComparisonSummary[]> {
  let summaries = await detectDrift(ctx, options);
  for (let waitedMs = 0; waitedMs < WAIT_MS; waitedMs += WAIT_STEP_MS) {
    const busy = summaries.filter(({ outcome }) => outcome === "busy");
    if (busy.length === 0) return summaries;
    if (waitedMs === 0) note(`Waiting: ${busy.map(({ provider }) => provider).join(", ")} is being compared.`);
    await sleep(WAIT_STEP_MS);
    const again = await Promise.all(busy.map(({ provider }) => detectDrift(ctx, { ...options, provider })));
    summaries = summaries.map((one) => again.flat().find(({ provider }) => provider === one.provider) ?? one);
  }
  return summaries;
}

function presentSummary({ unreported, openCases, ...counts }: ComparisonSummary) {
  return { ...counts, not_reported: unreported, open_cases: openCases };
}

function present(found: CaseListItem) {
  return {
    case: found.id,
    kind: found.kind,
    provider: found.provider,
    reference: found.reference,
    reseller_id: found.resellerId,
    license_id: found.licenseId,
    operation_id: found.operationId,
    value: found.value && {
      what: found.value.what,
      amount: toMajorNumber(BigInt(found.value.amount), found.value.currency),
      currency: found.value.currency,
    },
    facts: found.facts,
    first_seen_at: toTimestamp(found.firstSeenAt),
    last_seen_at: toTimestamp(found.lastSeenAt),
    resolved_at: timestampOrNull(found.resolvedAt),
    resolution: found.resolution,
  };
}

function presentCase({ details, actions }: ReconciliationCase) {
  const { currency } = details;
  return {
    ...present(details),
    actions: actions.map(({ action, rule, money }) => ({
      action,
      possible: rule.possible,
      text: rule.possible ? rule.effect : rule.reason,
      ...(rule.possible && currency !== null
        ? { wallet: toMajorNumber(money.wallet, currency), released: toMajorNumber(money.released, currency), currency }
        : {}),
    })),
  };
}
