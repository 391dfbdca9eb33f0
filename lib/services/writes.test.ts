import { expect, test } from "vitest";
import { importedFromDb, prismaWrite, serviceModules, writers } from "#tests/support/writers.ts";

/** Modules or folders that write without `writesOf(ctx)`, and why their effects never lack an answer. */
const exceptions: Readonly<Record<string, string>> = {
  "api-key/signing": "before any key is claimed",
  "audit/record-denial": "of a request that is refused, whose writes are undone",
  "bulk/run": "a worker's, fenced by the job's lease",
  "catalog/import-from-provider": "a transaction of Prisma, done once: it names the preview that it carries out",
  "idempotency/": "the keys themselves",
  "mail/deliver": "a worker's, fenced by the message's lease",
  "mail/queue-digests": "a worker's, each message once",
  "mail/unsubscribe": "before anyone is signed in; twice is once",
  "operation/": "an operation has a row of its own that the key is linked to, and is fenced by its lease",
  "reconciliation/": "done once: each statement names the state in which it expects the case",
  "renewals/": "a worker's",
  "retention/": "a worker's",
  "sandbox/open": "without a key: twice is once",
  "sandbox/switch": "without a key: twice is once",
  "system/end-false-waits": "a worker's",
  "user/act-as": "without a key: acting begins again",
  "user/change-email": "without a key: a failed attempt counts, and a later request replaces an earlier one",
  "user/check-passkey": "a challenge is used up although what follows is refused",
  "user/check-second-factor": "a code is used up although what follows is refused",
  "user/finish-sign-in": "before anyone is signed in",
  "user/own-factors": "without a key: secrets are shown once and not stored for a replay",
  "user/own-passkeys": "without a key: a challenge is used up although what follows is refused",
  "user/sign-in-at-issuer": "before anyone is signed in",
  "user/sign-in-with-passkey": "before anyone is signed in",
  "user/prove-identity": "without a key: twice is once",
  "user/prove-at-issuer": "without a key: an answer is used up although what follows is refused",
  "user/own-sessions": "without a key: twice is once",
  "user/redeem-access-link": "before anyone is signed in; a link works once",
  "user/request-password-reset": "before anyone is signed in",
  "user/sign-in": "before anyone is signed in",
  "wallet/check-ledger": "a worker's, the newest replaces the last one",
  "webhook/redeem-code": "a try counts although it is refused",
  "webhook/deliver": "a worker's, fenced by the delivery's lease",
  "webhook/delete": "deliveries in batches, each for good: what is left is deleted with the endpoint",
  "webhook/resend": "deliveries in batches, each for good: a repetition sends what is left",
  "webhook/set-paused": "deliveries of a disabled endpoint in batches, each for good",
  "sandbox/reset": "deliveries in batches, each for good: what is left is deleted with the reset",
};

/** A service's writing calls, except those by `writesOf(ctx)` or `writeInSession(ctx, …)`, which uses the same transaction. */
function directWrites({ text }: { readonly text: string }): string[] {
  const calls = importedFromDb(text)
    .filter(({ name }) => writers.has(name))
    .flatMap(({ local }) => [
      ...text.matchAll(
        new RegExp(
          `(?<!function |writeInSession\\(ctx, \\(db\\) =>\\s{0,20})\\b${local}\\((?!\\s*writesOf\\(ctx\\))`,
          "g",
        ),
      ),
    ])
    .map(([call]) => call);
  return prismaWrite.test(text) ? [...calls, "prisma"] : calls;
}

test("the writing functions of lib/db are found", () => {
  expect([...writers]).toEqual(
    expect.arrayContaining([
      "postLedgerEntry",
      "insertWebhookEndpoint",
      "updateAutoRenew",
      "decideCase",
      "holdOperation",
    ]),
  );
  expect([...writers]).not.toContain("findLicense");
  expect(serviceModules.filter(({ text }) => text.includes("writesOf(ctx)")).length).toBeGreaterThan(40);
});

test("every service writes in the transaction that stores the answer, with these exceptions (contract 1.11)", () => {
  const past = serviceModules.filter((service) => directWrites(service).length > 0).map(({ name }) => name);
  const excepted = Object.keys(exceptions);
  expect(past.filter((name) => !excepted.some((exception) => name.startsWith(exception)))).toEqual([]);
  expect(excepted.filter((exception) => !past.some((name) => name.startsWith(exception)))).toEqual([]);
});
