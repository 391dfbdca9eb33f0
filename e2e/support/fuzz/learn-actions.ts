/**
 * Prints what the arguments of every server action hold, as JSON: it calls each with arguments that note how they are read,
 * and with a `runAction` that notes the schema. Runs in a process of its own: a server action is loaded as nowhere else.
 */
import { globSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";

const root = join(import.meta.dirname, "..", "..", "..");
const PATH = Symbol("path");
const SPREAD = "...";

type Noted = Readonly<Record<string, unknown>>;

/** A part of the arguments, and what it holds. */
export interface ActionInput {
  /** `0.licenseId`: of the first argument. */
  readonly path: string;
  readonly name: string;
  /** As JSON schema; empty where nothing is known. */
  readonly schema: object;
}

/** What stands in for modules that only a server of Next can load. */
const standIns: Readonly<Record<string, string>> = {
  "#lib/dashboard/action.ts":
    "export const partsOf = (sent) => sent; export const runAction = (action) => globalThis.noteAction(action)",
  "next-auth/providers/credentials": "export default () => ({})",
};

registerHooks({
  resolve(specifier, context, next) {
    const standIn = standIns[specifier];
    if (standIn !== undefined) return { url: `data:text/javascript,${standIn}`, shortCircuit: true };
    return next(/^next\/\w+$/.test(specifier) ? `${specifier}.js` : specifier, context);
  },
});

/** An argument that every reading of it adds a path to. */
function argument(path: string, read: Set<string>): unknown {
  read.add(path);
  const parts = new Map<string, unknown>();
  return new Proxy(
    {},
    {
      get(_, name) {
        if (name === PATH) return path;
        if (typeof name === "symbol" || /^(then|toString|valueOf|toJSON)$/.test(name)) return undefined;
        if (name === SPREAD) return path;
        if (!parts.has(name)) parts.set(name, argument(`${path}.${name}`, read));
        return parts.get(name);
      },
      ownKeys: () => [SPREAD],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  );
}

const pathOf = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null ? (value as { [PATH]?: string })[PATH] : undefined;

/** What the action's schema says of the parts that its input was made of. */
function schemasOf({ schema, input }: { readonly schema: z.ZodType; readonly input: unknown }): Map<string, object> {
  const whole = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const path = pathOf(input);
  if (path !== undefined) return new Map([[path, whole]]);
  const { [SPREAD]: spread, ...fields } = { ...(input as Noted) };
  const { properties = {} } = [whole, ...(whole.allOf ?? [])].find((part) => part.properties) ?? {};
  const parts = new Map<string, object>();
  if (typeof spread === "string") parts.set(spread, whole);
  for (const [name, value] of Object.entries(fields)) parts.set(pathOf(value) ?? "", Object(properties[name]));
  return parts;
}

/** Names of a function's parameters; those taken apart at once have names of their own. */
function parameterNames(action: Action): string[] {
  const list = /\(([^)]*)\)/.exec(action.toString())?.[1] ?? "";
  return list.replaceAll(/\{[^}]*\}/g, "input").split(/,\s*/);
}

async function learn(action: Action): Promise<ActionInput[]> {
  const read = new Set<string>();
  let schemas = new Map<string, object>();
  const noteAction = (noted: Parameters<typeof schemasOf>[0]) => {
    schemas = schemasOf(noted);
    throw new Error("noted");
  };
  Object.assign(globalThis, { noteAction });
  try {
    await action(...Array.from({ length: action.length }, (_, index) => argument(String(index), read)));
  } catch {
    // It ends where it was noted, or where it asks who is signed in.
  }
  const names = parameterNames(action);
  const leaves = [...read].filter((path) => ![...read].some((other) => other.startsWith(`${path}.`)));
  return [...new Set([...leaves, ...schemas.keys()])]
    .filter((path) => path !== "")
    .map((path) => ({ path, name: path.split(".")[1] ?? names[Number(path)] ?? "", schema: schemas.get(path) ?? {} }))
    .toSorted((one, other) => one.path.localeCompare(other.path));
}

type Action = (...args: unknown[]) => unknown;

const learned: Record<string, ActionInput[]> = {};
for (const file of globSync("app/**/*actions.ts", { cwd: root })) {
  const actions = (await import(pathToFileURL(join(root, file)).href)) as Record<string, Action>;
  for (const [name, action] of Object.entries(actions)) learned[`${file} ${name}`] = await learn(action);
}
process.stdout.write(JSON.stringify(learned));
