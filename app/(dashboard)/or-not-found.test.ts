import { expect, test } from "vitest";
import { DomainError } from "#lib/domain/errors.ts";
import { orNull } from "./or-not-found.ts";

test("an open change that is deleted while its page is read is none; another failure is the page's", async () => {
  expect(await orNull(Promise.reject(new DomainError("operation_not_found", "")))).toBeNull();
  const failure = new DomainError("unavailable", "");
  await expect(orNull(Promise.reject(failure))).rejects.toBe(failure);
});
