import { revalidatePath } from "next/cache";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { DomainError } from "#lib/domain/errors.ts";
import type { SignedInUser } from "#lib/services/user/sign-in.ts";
import { defineAction } from "./define-action.ts";
import { runOnce } from "./run-once.ts";
import { contextOf, findUser } from "./session.ts";

vi.mock("next/cache", () => ({ revalidatePath: vi.fn() }));
vi.mock("#lib/runtime.ts", () => ({ getRuntime: () => ({ requestAnswered, log: { error: () => {} } }) }));
vi.mock("./run-once.ts", () => ({ runOnce: vi.fn((ctx, _action, _sent, run) => run(ctx)) }));
vi.mock("./session.ts", () => ({
  findUser: vi.fn(async () => ({ userId: 5, role: "admin" })),
  findSessionUser: vi.fn(async () => null),
  keepSession: vi.fn(async () => {}),
  contextOf: vi.fn(() => ({ requestId: "web_1" })),
  ownerOf: () => "5 in test mode",
}));

const run = vi.fn();
const requestAnswered = vi.hoisted(() => vi.fn());
const renew = defineAction({
  name: "licenses.renew",
  bound: z.strictObject({ resellerId: z.int32().positive(), seenVersion: z.string() }),
  input: z.strictObject({
    cores: z.int32().positive(),
    note: z.string(),
    servers: z.array(z.strictObject({ ip: z.string() })).optional(),
  }),
  revalidate: ["/licenses"],
  revalidateOnSuccess: ["/wallet"],
  run: async (_ctx, input, bound, user): Promise<unknown> => run(input, bound, user),
});
const bound = { resellerId: 3, seenVersion: "v1" };
const input = { cores: 2, note: "" };

beforeEach(() => {
  vi.clearAllMocks();
  run.mockReset().mockResolvedValue("done");
});

test("an action gets its input, bound argument and user; its context has the reseller and the version", async () => {
  expect(await renew(bound, input, "key")).toEqual({ ok: true, value: "done" });
  expect(run).toHaveBeenCalledWith(input, bound, { userId: 5, role: "admin" });
  expect(contextOf).toHaveBeenCalledWith(expect.anything(), { forReseller: 3, seenVersion: "v1" });
});

test("every call is observed once, under the action's name, with its outcome", async () => {
  await renew(bound, input, "key");
  const refused = await renew(bound, { ...input, cores: -1 }, "key");
  expect(refused.ok).toBe(false);
  const call = { interface: "action", operation: "licenses.renew", durationMs: expect.any(Number) };
  expect(requestAnswered.mock.calls).toMatchObject([
    [{ ...call, code: "ok", requestId: "web_1" }],
    [{ ...call, code: "parameters_invalid", requestId: null }],
  ]);
});

test("a key belongs to its user, and every argument distinguishes requests", async () => {
  await renew(bound, input, "key");
  const keyed = expect.objectContaining({ name: "licenses.renew", idempotencyKey: "web:5:key" });
  expect(runOnce).toHaveBeenCalledWith(expect.anything(), keyed, { input, bound }, expect.anything());
});

test.each(["5", "6 in test mode", "5 as 3", "5 in test mode:", "1/6"])(
  "a form of a page of %s is rejected before anything runs",
  async (page) => {
    const result = await renew(bound, input, `${page}:key`);
    expect(result).toMatchObject({ ok: false, error: { code: "other_owner" } });
    expect(run).not.toHaveBeenCalled();
  },
);

test("repeatable actions and calls without a key are rejected on another owner's page, too", async () => {
  const start = defineAction({ name: "settings.startTotp", repeatable: true, run: async () => run() });
  expect(await start(undefined, "6:key")).toMatchObject({ ok: false, error: { code: "other_owner" } });
  expect(await renew(bound, input, "6:")).toMatchObject({ ok: false, error: { code: "other_owner" } });
  expect(run).not.toHaveBeenCalled();
  expect(await renew(bound, input, "5 in test mode:")).toMatchObject({ ok: true });
  expect(runOnce).toHaveBeenCalledTimes(1);
  expect(vi.mocked(runOnce).mock.calls[0]?.[1].idempotencyKey).toBeUndefined();
});

test("a form of a page of the same owner runs, also of another build", async () => {
  expect(await renew(bound, input, "5 in test mode:key")).toMatchObject({ ok: true });
  expect(await renew(bound, input, "1/5 in test mode:key")).toMatchObject({ ok: true });
});

test.each(["1/:key", ":key", "key"])("a call that names no owner (%s) runs", async (key) => {
  expect(await renew(bound, input, key)).toMatchObject({ ok: true });
});

test("after a refusal, a page of this build is rendered again; one of another build, which Next would reload, is not", async () => {
  run.mockRejectedValue(new DomainError("conflict", "It is not as it was."));
  expect(await renew(bound, input, "1/5 in test mode:key")).toMatchObject({ error: { code: "conflict" } });
  expect(revalidatePath).not.toHaveBeenCalled();
  await renew(bound, input, `${process.env.BUILD_ID}/5 in test mode:key`);
  expect(revalidatePath).toHaveBeenCalledWith("/licenses", "layout");
});

test("while the database is away no page is rendered, which would fail: what was typed stays with the reason", async () => {
  run.mockRejectedValue(new DomainError("unavailable", "Try again."));
  expect(await renew(bound, input, "key")).toMatchObject({ error: { code: "unavailable" } });
  expect(revalidatePath).not.toHaveBeenCalled();
});

describe("a sensitive action", () => {
  const topUp = defineAction({
    name: "resellers.topUp",
    input: z.object({ amount: z.string() }),
    asksProof: true,
    revalidate: ["/resellers"],
    run: async (_ctx, input): Promise<unknown> => run(input),
  });
  const signedIn = (isProven: boolean) => ({ userId: 5, role: "admin", isProven }) as unknown as SignedInUser;

  test("is not run before its user has proved again who they are; the page stays as it is", async () => {
    vi.mocked(findUser).mockResolvedValueOnce(signedIn(false));
    expect(await topUp({ amount: "10" }, "key")).toMatchObject({ ok: false, error: { code: "proof_required" } });
    expect(run).not.toHaveBeenCalled();
    expect(runOnce).not.toHaveBeenCalled();
    expect(revalidatePath).not.toHaveBeenCalled();
  });

  test("runs after a recent proof", async () => {
    vi.mocked(findUser).mockResolvedValueOnce(signedIn(true));
    expect(await topUp({ amount: "10" }, "key")).toEqual({ ok: true, value: "done" });
  });
});

describe("a page of another version asks to be loaded again; nothing runs, and what was typed stays on it", () => {
  const { note: _, ...earlier } = input;
  test.each<readonly [string, object, object]>([
    ["it lacks a field", bound, earlier],
    ["it has a field that this version would leave out", bound, { ...input, until: "2027-01-01" }],
    ["it has one deep within", bound, { ...input, servers: [{ ip: "192.0.2.1", cores: 2 }] }],
    ["it has another bound argument", { ...bound, scope: "all" }, input],
    ["it lacks a bound argument", { seenVersion: "v1" }, input],
  ])("%s", async (_, sentBound, sentInput) => {
    const sent = sentInput as typeof input;
    const result = await renew(sentBound as typeof bound, sent, "key");
    expect(result).toMatchObject({
      error: { code: "page_outdated", message: expect.stringMatching(/reload the page/), fields: {} },
    });
    expect(run).not.toHaveBeenCalled();
    expect(revalidatePath).not.toHaveBeenCalled();
  });
});

test.each([
  ["another type", { ...bound, resellerId: "3" }],
  ["a number beyond a column", { ...bound, resellerId: 2 ** 31 }],
  ["a part missing", { resellerId: 3 }],
  ["text that cannot be stored", { ...bound, seenVersion: "a\0" }],
  ["nothing", undefined],
  ["null", null],
])("a bound argument that was tampered with is rejected before anything runs: %s", async (_, tampered) => {
  const result = await renew(tampered as typeof bound, input, "key");
  expect(result).toMatchObject({ ok: false, error: { code: "page_outdated", fields: {} } });
  expect(run).not.toHaveBeenCalled();
});

test.each([
  ["too long", "x".repeat(201)],
  ["not storable", "a\0"],
  ["no text", 7],
])("a key that is %s is rejected before anything runs", async (_, key) => {
  expect(await renew(bound, input, key as string)).toMatchObject({ error: { code: "page_outdated" } });
  expect(run).not.toHaveBeenCalled();
});

test("every invalid field is reported, including text that cannot be stored", async () => {
  const wrong = await renew(bound, { cores: 0, note: 1 as never });
  expect(wrong.ok ? [] : Object.keys(wrong.error.fields).toSorted()).toEqual(["cores", "note"]);
  const unstorable = await renew(bound, { cores: 1, note: "a\0" });
  expect(unstorable).toMatchObject({ error: { fields: { note: "has characters that cannot be stored" } } });
  expect(run).not.toHaveBeenCalled();
});

test("the input of an action cannot choose the reseller that an admin acts for", async () => {
  const rename = defineAction({
    name: "rename",
    input: z.object({ resellerId: z.int32(), seenVersion: z.string() }),
    run: async () => null,
  });
  await rename({ resellerId: 9, seenVersion: "v2" });
  expect(contextOf).toHaveBeenCalledWith(expect.anything(), { forReseller: null, seenVersion: "v2" });
});

test("pages are rendered again after an action, some only on success, none when the session has ended", async () => {
  const shown = () =>
    vi
      .mocked(revalidatePath)
      .mock.calls.splice(0)
      .map(([path]) => path);
  await renew(bound, input);
  expect(shown()).toEqual(["/licenses", "/wallet"]);
  run.mockRejectedValueOnce(new DomainError("changed_meanwhile", "It has changed."));
  expect(await renew(bound, input)).toMatchObject({ error: { code: "changed_meanwhile" } });
  expect(shown()).toEqual(["/licenses"]);
  vi.mocked(findUser).mockResolvedValueOnce(null);
  expect(await renew(bound, input)).toMatchObject({ error: { code: "signed_out" } });
  expect(shown()).toEqual([]);
});

test("no page is rendered after an answer with a secret, which may be on a page of an earlier build", async () => {
  const revalidate = ["/api-keys"];
  const make = defineAction({
    name: "api-keys.create",
    revalidate,
    revalidateOnSuccess: ["/settings"],
    unstored: { apiKey: null, codes: [] },
    run: async (): Promise<{ id: number; apiKey: string | null; codes: string[] }> => run(),
  });
  for (const secret of [
    { apiKey: "lk_1", codes: [] },
    { apiKey: null, codes: ["1"] },
  ]) {
    run.mockResolvedValueOnce({ id: 1, ...secret });
    expect(await make()).toMatchObject({ ok: true, value: secret });
    expect(revalidatePath).not.toHaveBeenCalled();
  }
  run.mockResolvedValueOnce({ id: 1, apiKey: null, codes: [] });
  await make();
  expect(vi.mocked(revalidatePath).mock.calls.splice(0)).toHaveLength(2);
  run.mockRejectedValueOnce(new DomainError("changed_meanwhile", "It has changed."));
  await make();
  expect(revalidatePath).toHaveBeenCalledExactlyOnceWith("/api-keys", "layout");
});

test("an action whose answer has a secret does not compile without its replacement", () => {
  const revoke = { name: "api-keys.revoke", run: async () => ({ apiKeyId: 1 }) };
  // @ts-expect-error: unstored is missing
  defineAction({ ...revoke, run: async () => ({ apiKey: "lk_1" }) });
  // @ts-expect-error: one of two is missing
  defineAction({ ...revoke, unstored: { apiKey: "" }, run: async () => ({ apiKey: "lk_1", signingSecret: "s" }) });
  expect(defineAction({ ...revoke, unstored: { apiKey: "" }, run: async () => ({ apiKey: "lk_1" }) })).toBeTypeOf(
    "function",
  );
  expect(defineAction(revoke)).toBeTypeOf("function");
});

test("a repeatable action has no key, so that nothing of its input is stored", async () => {
  const test = defineAction({ name: "test", repeatable: true, run: async () => null });
  await test(undefined, "key");
  expect(runOnce).toHaveBeenCalledWith(
    expect.anything(),
    expect.objectContaining({ idempotencyKey: undefined }),
    expect.anything(),
    expect.anything(),
  );
});

test("what JSON cannot hold is not stored for a replay: such an action does not compile unless it is repeatable", () => {
  const total = async () => ({ total: 5n });
  // @ts-expect-error The bigint of its value would fail once its change was made.
  expect(defineAction({ name: "wallet.total", run: total })).toBeTypeOf("function");
  expect(defineAction({ name: "wallet.total", repeatable: true, run: total })).toBeTypeOf("function");
});
