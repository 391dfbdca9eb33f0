import { Command, InvalidArgumentError } from "commander";
import type { AuditHead } from "#lib/domain/audit-chain.ts";
import { exportAuditLog } from "#lib/services/audit/export.ts";
import { verifyAuditLog } from "#lib/services/audit/verify.ts";
import { print, printJson } from "./output.ts";
import { runAsOperator } from "./run.ts";

export function auditCommand(): Command {
  const noun = new Command("audit").description("who changed what");
  noun
    .command("verify")
    .description("recompute the hash chain of the audit log; fails if an entry was changed, removed, added or moved")
    .option("--head <position:hash>", "a head that was printed before: the chain must still lead through it", readHead)
    .action(async ({ head }: { head?: AuditHead }) => {
      const found = await runAsOperator((ctx) => verifyAuditLog(ctx, { expectedHead: head }));
      printJson({
        head: found.head && `${found.head.position}:${found.head.hash}`,
        problems: found.problems.map((problem) => ({
          problem: problem.kind,
          position: Number(problem.position),
          entry: "entryId" in problem ? Number(problem.entryId) : null,
        })),
        unlinked_entries: found.unlinkedEntries,
      });
      if (found.problems.length + found.unlinkedEntries > 0) process.exitCode = 1;
    });
  noun
    .command("export")
    .description("write the audit log with its hashes as JSON Lines")
    .action(() =>
      runAsOperator(async (ctx) => {
        for await (const piece of exportAuditLog(ctx)) await print(piece);
      }),
    );
  return noun;
}

function readHead(text: string): AuditHead {
  const [, position, hash] = /^([1-9]\d{0,17}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (position === undefined || hash === undefined) {
    throw new InvalidArgumentError("It is a position and a hash, as `audit verify` prints them.");
  }
  return { position: BigInt(position), hash };
}
