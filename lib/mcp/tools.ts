import { includesScope, type Scope } from "#lib/domain/scopes.ts";
import { accountTools } from "./account.ts";
import { explainVerification } from "./explain-verification.ts";
import { licenseTools } from "./licenses.ts";
import { quoteTools } from "./quotes.ts";
import { renewTool } from "./renew.ts";
import { logName, type Tool } from "./tool.ts";

export const tools: readonly Tool[] = [...licenseTools, explainVerification, ...accountTools, ...quoteTools, renewTool];

/** Operations in the log of a key; `mcp` is all but a call of a tool. */
export const logNames: readonly string[] = ["mcp", ...tools.map(logName)];

/** The tools that a key with these scopes sees. */
export function toolsFor(scopes: ReadonlySet<Scope>): readonly Tool[] {
  return tools.filter(({ endpoint: { scope } }) => scope === null || includesScope(scopes, scope));
}
