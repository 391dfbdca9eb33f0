/**
 * Prints the arguments of every server action, as JSON: with stand-ins for `defineAction` that return the declaration, whose schemas
 * say what they hold. Runs in a process of its own: a server action is loaded as nowhere else.
 */
import { globSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";

const root = join(import.meta.dirname, "..", "..", "..");

/** Name and JSON schema of each argument. */
export type ActionArguments = readonly { readonly name: string; readonly schema: object }[];

/** What stands in for modules that only a server of Next can load. */
const standIns: Readonly<Record<string, string>> = {
  "#lib/dashboard/define-action.ts": "export const defineAction = (declaration) => declaration",
  "#lib/dashboard/define-visitor-action.ts":
    "export const defineVisitorAction = (declaration) => ({ ...declaration, repeatable: true })",
  "next-auth/providers/credentials": "export default () => ({})",
};

registerHooks({
  resolve(specifier, context, next) {
    const standIn = standIns[specifier];
    if (standIn !== undefined) return { url: `data:text/javascript,${standIn}`, shortCircuit: true };
    return next(/^next\/\w+$/.test(specifier) ? `${specifier}.js` : specifier, context);
  },
});

interface Declaration {
  readonly bound?: z.ZodType;
  readonly input?: z.ZodType;
  readonly repeatable?: true;
}

/** Matches nothing: the argument is left out. */
const NONE = { not: {} };

function learn({ bound, input, repeatable }: Declaration): ActionArguments {
  const argument = (name: string, schema: z.ZodType) => ({
    name,
    schema: z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }),
  });
  return [
    ...(bound ? [argument("bound", bound)] : []),
    input ? argument("input", input) : { name: "input", schema: NONE },
    ...(repeatable ? [] : [argument("idempotencyKey", z.string())]),
  ];
}

const learned: Record<string, ActionArguments> = {};
for (const file of globSync("app/**/*actions.ts", { cwd: root })) {
  const actions = (await import(pathToFileURL(join(root, file)).href)) as Record<string, Declaration | (() => unknown)>;
  for (const [name, action] of Object.entries(actions)) {
    // A plain function has no declaration: the fuzzer's test names it if it takes arguments.
    learned[`${file} ${name}`] = typeof action === "function" ? [] : learn(action);
  }
}
process.stdout.write(JSON.stringify(learned));
