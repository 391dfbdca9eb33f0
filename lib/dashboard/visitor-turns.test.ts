/** What anyone may ask for waits for its turn among the requests of its source. */
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { NextRequest } from "next/server";
import { beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { DomainError } from "#lib/domain/errors.ts";

const refused = new DomainError("unavailable", "No turn came.");
const takeVisitorTurn = vi.hoisted(() => vi.fn());
vi.mock("#lib/dashboard/observe-action.ts", () => ({
  observeAction: (_: string, answer: (caller: object) => unknown) => answer({}),
}));
vi.mock("#lib/dashboard/visitor.ts", async (original) => ({ ...(await original<object>()), takeVisitorTurn }));

const app = join(import.meta.dirname, "..", "..", "app");
const files = readdirSync(app, { recursive: true, encoding: "utf8" }).map((file) => file.replaceAll("\\", "/"));
/** Those of the dashboard ask for a session, which is looked for in a turn (session.test.ts). */
const open = (name: string) =>
  files.filter((file) => file.split("/").at(-1) === name && !file.startsWith("(dashboard)/")).toSorted();

/** Requests with a key, or without a valid one: `lib/http/flood.test.ts`. */
const limitedByKey = ["api/v1/[[...path]]/route.ts", "mcp/route.ts"];
const routes = open("route.ts").filter((file) => !limitedByKey.includes(file));

beforeEach(() => {
  takeVisitorTurn.mockReset().mockRejectedValue(refused);
});

type Handler = (request: NextRequest, context: object) => Promise<Response>;
const methods = (await Promise.all(
  routes.map(async (file) => {
    const route = (await import(join(app, file))) as Readonly<Record<string, Handler>>;
    return Object.entries(route).flatMap(([method, handler]) =>
      /^[A-Z]+$/.test(method) ? { file, method, handler } : [],
    );
  }),
).then((all) => all.flat())) as readonly {
  readonly file: string;
  readonly method: string;
  readonly handler: Handler;
}[];

test("of these routes", () => {
  expect(methods.map(({ file, method }) => `${method} ${file}`)).toEqual([
    "GET agent.sh/route.ts",
    "GET api/auth/[...nextauth]/route.ts",
    "POST api/auth/[...nextauth]/route.ts",
    "GET install.sh/route.ts",
    "POST unsubscribe/route.ts",
    "GET unsubscribe/route.ts",
  ]);
});

/** A sign-in waits in lines of its own (`sign-in-gate.ts`). */
const waiting = methods.filter(({ file, method }) => !file.startsWith("api/auth/") || method === "GET");
const asked = waiting.flatMap((route) =>
  route.file.startsWith("api/auth/")
    ? ["csrf", "providers", "session", "passkey-challenge", "oidc", "oidc/callback"].map((path) => ({ ...route, path }))
    : { ...route, path: "" },
);

test.each(asked)("$method $file $path", async ({ method, handler, path }) => {
  const request = new NextRequest("http://desk.test/x?token=a", { method });
  await expect(handler(request, { params: Promise.resolve({ nextauth: path.split("/") }) })).rejects.toBe(refused);
});

test("an action that needs no session", async () => {
  const { defineVisitorAction } = await import("./define-visitor-action.ts");
  const run = vi.fn();
  const answer = await defineVisitorAction({ name: "test", input: z.object({}), run })({});
  expect(answer).toMatchObject({ ok: false, error: { code: "unavailable" } });
  expect(run).not.toHaveBeenCalled();
});

test.each(open("page.tsx").filter((file) => file !== "page.tsx"))(
  "the page %s, itself or in its layout",
  async (file) => {
    const { readFileSync } = await import("node:fs");
    const folders = dirname(file).split("/");
    const parents = folders.map((_, at) => `${folders.slice(0, at + 1).join("/")}/layout.tsx`);
    const texts = [file, ...parents.filter((parent) => files.includes(parent))].map((one) =>
      readFileSync(join(app, one), "utf8"),
    );
    expect(texts.some((text) => text.includes("await takeVisitorTurn()"))).toBe(true);
  },
);
