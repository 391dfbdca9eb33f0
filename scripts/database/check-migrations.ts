/** Checks that each migration leaves the previous version running: expand, migrate, contract (CONTRIBUTING.md). */
import { parse } from "libpg-query";
import { isContractStep, type MigrationFile } from "#lib/db/schema/migration-files.ts";
import { type Finding, judgeStatement, type RuleState } from "./migration-rules.ts";

const CONTRACT = /^-- contract of (\S+)\s*$/m;

/**
 * @param files in order, starting with the baseline, which has no previous version
 * @returns one line for each forbidden statement
 */
export async function checkMigrations(files: readonly MigrationFile[]): Promise<string[]> {
  const [, ...later] = files;
  const expansions = new Set<string>();
  const lasting = { notNullChecks: new Map<string, string>(), provenNotNull: new Set<string>() };
  const lines: string[] = [];
  for (const { name, script } of later) {
    const state: RuleState = { ...lasting, newTables: new Set(), newConstraints: new Set() };
    const [header = ""] = script.split("\n");
    const contracted = CONTRACT.exec(header)?.[1] ?? null;
    if (contracted === null) expansions.add(name);
    else if (!expansions.has(contracted))
      lines.push(`${name}:1 is the contract of ${contracted}, which is no earlier expansion.`);
    if (contracted !== null && !isContractStep(name))
      lines.push(
        `${name}:1 is a contract step: its name has to begin with "contract_", for earlier versions to stop at.`,
      );
    lines.push(...(await checkScript(script, state, contracted !== null)).map((line) => `${name}:${line}`));
  }
  return lines;
}

async function checkScript(script: string, state: RuleState, isContract: boolean): Promise<string[]> {
  const { stmts = [] } = await parse(script);
  const bytes = Buffer.from(script);
  const found = stmts.flatMap(({ stmt, stmt_location = 0 }) => {
    if (!stmt) return [];
    const findings: readonly Finding[] = isConcurrent(stmt) && stmts.length > 1 ? [ALONE] : judgeStatement(stmt, state);
    const line = lineOf(bytes, stmt_location);
    return findings
      .filter(({ danger }) => danger === "locks" || !isContract)
      .map(({ danger, message }) => `${line} ${message}.${danger === "breaks" ? CONTRACT_HINT : ""}`);
  });
  return found;
}

const CONTRACT_HINT = ' Do it in a contract step of a later version, whose first line is "-- contract of <migration>".';
const ALONE: Finding = { danger: "locks", message: "works concurrently, which needs a migration of its own" };

function isConcurrent(statement: object): boolean {
  return Object.values(statement).some((body) => (body as { concurrent?: boolean }).concurrent === true);
}

/** The line of the statement's first word, after comments and blank lines. */
function lineOf(bytes: Buffer, offset: number): number {
  const before = bytes.subarray(0, offset).toString("utf8");
  const lead = /^(\s|--[^\n]*\n)*/.exec(bytes.subarray(offset).toString("utf8"))?.[0] ?? "";
  return `${before}${lead}`.split("\n").length;
}
