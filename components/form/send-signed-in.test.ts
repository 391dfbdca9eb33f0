import { afterEach, expect, test, vi } from "vitest";
import { retryUnanswered } from "./connection.ts";
import { sendSignedIn, unrepeated } from "./send-signed-in.ts";

vi.mock(import("./connection.ts"), { spy: true });
afterEach(() => vi.mocked(retryUnanswered).mockReset());

test("what must not be repeated is sent once without an answer, and says that it may have been done", async () => {
  const change = vi.fn(async () => {
    throw new Error("An unexpected response was received from the server.");
  });
  const result = await sendSignedIn(unrepeated(change), {}, "key");
  expect(result).toMatchObject({ ok: false, error: { code: "answer_lost" } });
  expect(change).toHaveBeenCalledTimes(1);
});

test.each(["signed_out", "proof_required"] as const)(
  "after an attempt without an answer, %s that its user does not resolve does not say that nothing was done",
  async (code) => {
    vi.mocked(retryUnanswered).mockImplementation((attempt) => attempt() as never);
    const refused = { ok: false, error: { code, message: "", fields: {}, charge: null, requestId: null } } as const;
    const change = vi.fn().mockRejectedValueOnce(new Error("no answer")).mockResolvedValue(refused);
    expect(await sendSignedIn(change, {}, `key-${code}`)).toMatchObject({
      error: { code: "answer_lost", message: expect.stringContaining("It may have been done: try again") },
    });
    expect(await sendSignedIn(change, {}, `another-key-${code}`)).toEqual(refused);
  },
);

test("a redirect is left to the router", async () => {
  const redirect = Object.assign(new Error("NEXT_REDIRECT"), { digest: "NEXT_REDIRECT;push;/" });
  await expect(unrepeated(() => Promise.reject(redirect))({}, "key")).rejects.toBe(redirect);
});

test.each(["other_owner", "page_outdated"] as const)(
  "after an attempt without an answer, %s does not say that nothing was done, also on a later try",
  async (code) => {
    vi.mocked(retryUnanswered).mockImplementation((attempt) => attempt() as never);
    const refused = { ok: false, error: { code, message: "", fields: {}, charge: null, requestId: null } } as const;
    const change = vi.fn().mockRejectedValueOnce(new Error("no answer")).mockResolvedValue(refused);
    for (let tries = 0; tries < 2; tries++) {
      expect(await sendSignedIn(change, {}, `key-${code}`)).toMatchObject({ error: { code: "answer_lost" } });
    }
    expect(await sendSignedIn(change, {}, `another-key-${code}`)).toEqual(refused);
  },
);
