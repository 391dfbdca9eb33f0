import { Argument, Command, Option } from "commander";
import { type CaseAction, type CaseKind, caseActions, caseKinds } from "#lib/domain/reconciliation.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { actOnCase } from "#lib/services/reconciliation/act.ts";
import { detectDrift } from "#lib/services/reconciliation/detect-drift.ts";
import { type CaseListItem, listCases } from "#lib/services/reconciliation/list-cases.ts";
import { readInteger } from "./options.ts";
import { printJson, timestampOrNull } from "./output.ts";
import { asOperator } from "./run.ts";

const PAGE_SIZE = 100;

type ListOptions = { kind?: CaseKind; provider?: string; resolved?: boolean; before?: number | null };
type ActOptions = { case: number; reason: string };

export function reconciliationCommand(): Command {
  const noun = new Command("reconciliation").description("differences between ledger, licenses and providers' books");
  noun
    .command("compare")
    .description("compare providers' books with ours now, and open a case for each difference")
    .option("--provider <name>", "this one alone")
    .action(async (options: { provider?: string }) => {
      const summaries = await asOperator((ctx) => detectDrift(ctx, options));
      printJson(summaries);
      if (summaries.some(({ outcome }) => outcome === "unreadable")) process.exitCode = 1;
    });
  noun
    .command("list")
    .description(`list open cases, newest first, ${PAGE_SIZE} at a time`)
    .addOption(new Option("--kind <kind>", "of this kind alone").choices([...caseKinds]))
    .option("--provider <name>", "of this provider alone")
    .option("--resolved", "those that are closed instead")
    .option("--before <id>", "those older than this case", readInteger)
    .action(async ({ kind, provider, resolved = false, before = null }: ListOptions) => {
      const input = { filter: { kind, provider, resolved }, before, after: null, limit: PAGE_SIZE };
      const { cases, nextBefore } = await asOperator((ctx) => listCases(ctx, input));
      printJson({ cases: cases.map(present), next_before: nextBefore });
    });
  noun
    .command("act")
    .description("settle one case; docs/decisions/0008-reconciliation-inbox.md says what each action does")
    .addArgument(new Argument("<action>", "what to do").choices([...caseActions]))
    .requiredOption("--case <id>", "which case", readInteger)
    .requiredOption("--reason <text>", "why; it is kept")
    .action(async (action: CaseAction, { case: caseId, reason }: ActOptions) => {
      const { resolution } = await asOperator((ctx) => actOnCase(ctx, { caseId, action, reason }));
      printJson({ case: caseId, resolution });
    });
  return noun;
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
    facts: found.facts,
    first_seen_at: toTimestamp(found.firstSeenAt),
    last_seen_at: toTimestamp(found.lastSeenAt),
    resolved_at: timestampOrNull(found.resolvedAt),
    resolution: found.resolution,
  };
}
