import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { z } from "zod";

/** Also of actions that a route calls. */
const allDeclarations = vi.hoisted((): Pick<Declaration, "name" | "bound" | "input">[] => []);
const declare = vi.hoisted(() => (declaration: Declaration) => {
  allDeclarations.push(declaration);
  return declaration;
});
vi.mock("#lib/dashboard/define-action.ts", () => ({ defineAction: declare }));
vi.mock("#lib/dashboard/define-visitor-action.ts", () => ({
  defineVisitorAction: (declaration: Declaration) => declare({ ...declaration, visitor: true }),
}));

const app = join(import.meta.dirname, "..", "..", "app");

interface Declaration {
  readonly name: string;
  readonly bound?: z.ZodObject;
  readonly input?: z.ZodType;
  readonly asksProof?: true;
  readonly unstored?: object;
  /** Without a session. */
  readonly visitor?: true;
}

interface ServerAction {
  readonly file: string;
  readonly exportedName: string;
  readonly declaration: Declaration | (() => unknown);
}

const sources = readdirSync(app, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
const declares = (file: string) => /\bdefine(?:Visitor)?Action\(/.test(readFileSync(join(app, file), "utf8"));
const files = sources.filter((file) => /actions\.ts$/.test(file));
await Promise.all(sources.filter(declares).map((file) => import(join(app, file))));
const exported: readonly ServerAction[] = (
  await Promise.all(
    files.map(async (file) =>
      Object.entries((await import(join(app, file))) as Record<string, Declaration>).map(
        ([exportedName, declaration]) => ({ file, exportedName, declaration }),
      ),
    ),
  )
).flat();
const declared = exported.flatMap(({ declaration, ...place }) =>
  typeof declaration === "function" ? [] : [{ ...place, ...declaration }],
);

/** `licenses/[id]/actions.ts`, `renew` → `licenses.renew`. */
function expectedName({ file, exportedName }: { readonly file: string; readonly exportedName: string }): string {
  const folders = dirname(file).split(/[\\/]/);
  return [...folders.filter((folder) => !/^[([.]/.test(folder)), exportedName].join(".");
}

test("every server action is declared, except two without a result or session", () => {
  expect(declared.length).toBeGreaterThan(60);
  const others = exported.filter(({ declaration }) => typeof declaration === "function");
  expect(others.map(({ exportedName }) => exportedName).toSorted()).toEqual(["dismissFirstSteps", "signOut"]);
});

test("only what a link in a message allows works without a session", () => {
  expect(declared.filter(({ visitor }) => visitor).map(({ name }) => name)).toEqual([
    "confirm-email.readChange",
    "confirm-email.confirm",
    "forgot-password.requestLink",
    "set-password.readLink",
    "set-password.setPassword",
    "stop-messages.stop",
  ]);
});

test("every action has its own name, so that its keys never replay another one (contract 1.11)", () => {
  expect(declared.map(({ name }) => name)).toEqual(declared.map(expectedName));
  expect(new Set(declared.map(({ name }) => name)).size).toBe(declared.length);
});

test("every bound argument is an object, where the context finds reseller and version", () => {
  const bound = declared.filter((action) => action.bound);
  expect(bound.length).toBeGreaterThan(20);
  expect(bound.filter((action) => action.bound?.type !== "object").map(({ name }) => name)).toEqual([]);
});

/** Parts that drop fields without a name for them. Parts of a schema are in its definition. */
function laxParts(schema: unknown, place: string): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap((part) => laxParts(part, place));
  if (schema instanceof z.ZodObject) {
    const lax = schema.def.catchall instanceof z.ZodNever ? [] : [place];
    return [...lax, ...Object.entries(schema.shape).flatMap(([name, part]) => laxParts(part, `${place}.${name}`))];
  }
  return schema instanceof z.ZodType
    ? Object.entries(schema.def).flatMap(([part, value]) => (part === "checks" ? [] : laxParts(value, place)))
    : [];
}

test("no action leaves out a field that the form of another version sends: it is refused", () => {
  expect(allDeclarations.length).toBeGreaterThan(declared.length);
  const lax = allDeclarations.flatMap(({ name, bound, input }) => [
    ...laxParts(bound, `${name} bound`),
    ...laxParts(input, `${name} input`),
  ]);
  expect(lax).toEqual([]);
  const hidden = z.array(z.object({})).transform((list) => list.length);
  expect(laxParts(z.strictObject({ a: z.strictObject({}).and(z.union([z.string(), hidden])) }), "x")).toEqual(["x.a"]);
});

test("these actions, and no others, ask for a recent proof of who the user is", () => {
  expect(
    declared
      .filter(({ asksProof }) => asksProof)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([
    "api-keys.create",
    "api-keys.revoke",
    "api-keys.rotate",
    "api-keys.setSpendingLimit",
    "jobs.createCommands",
    "licenses.createForAgent",
    "outbox.showLink",
    "providers.add",
    "providers.edit",
    "reconciliation.act",
    "resellers.adjust",
    "resellers.new.create",
    "resellers.refund",
    "resellers.settings.actAs",
    "resellers.topUp",
    "settings.changeEmail",
    "settings.endOthers",
    "settings.endSession",
    "settings.removePasskey",
    "settings.removeTotp",
    "settings.replaceRecoveryCodes",
    "settings.startPasskey",
    "settings.startTotp",
    "top-ups.decide",
    "top-ups.setSettings",
    "users.create",
    "users.inviteAgain",
    "users.removeFactors",
    "users.resetPassword",
    "users.setDisabled",
    "users.setRole",
    "users.setTeamRule",
    "webhooks.create",
    "webhooks.rotate",
    "webhooks.update",
  ]);
});

test("every action of users, and every action that shows a secret, asks for a proof, at the latest when it starts", () => {
  const sensitive = declared.filter(({ name, unstored }) => name.startsWith("users.") || unstored !== undefined);
  expect(sensitive.length).toBeGreaterThan(5);
  expect(sensitive.filter(({ asksProof }) => !asksProof).map(({ name }) => name)).toEqual([
    "settings.confirmTotp",
    "settings.addPasskey",
  ]);
});
