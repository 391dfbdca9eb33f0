import { expect, test } from "vitest";
import { failureText } from "./failure-text.ts";

const failed = { message: "This idempotency key was used for another request.", fields: {}, charge: null } as const;

test("a reused idempotency key is reported as what it means, and what to do", () => {
  const text = failureText({ ...failed, code: "idempotency_key_reused", requestId: null });
  expect(text).toBe("An earlier attempt may have been carried out. Check what it changed before you try again.");
});

test("an answer that never came says to try again, and other failures say their message", () => {
  expect(failureText({ code: "unreachable" })).toBe("The answer did not arrive. Try again.");
  expect(failureText({ ...failed, code: "unavailable", message: "Try later.", requestId: null })).toBe("Try later.");
});
