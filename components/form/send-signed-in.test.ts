import { expect, test, vi } from "vitest";
import { sendSignedIn, unrepeated } from "./send-signed-in.ts";

test("what must not be repeated is sent once without an answer, and says that it may have been done", async () => {
  const change = vi.fn(async () => {
    throw new Error("An unexpected response was received from the server.");
  });
  const result = await sendSignedIn(unrepeated(change), {}, "key");
  expect(result).toMatchObject({ ok: false, error: { code: "answer_lost" } });
  expect(change).toHaveBeenCalledTimes(1);
});

test("a redirect is left to the router", async () => {
  const redirect = Object.assign(new Error("NEXT_REDIRECT"), { digest: "NEXT_REDIRECT;push;/" });
  await expect(unrepeated(() => Promise.reject(redirect))({}, "key")).rejects.toBe(redirect);
});
