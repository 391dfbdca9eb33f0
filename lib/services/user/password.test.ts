import { verify } from "@node-rs/argon2";
import { describe, expect, test } from "vitest";
import { findPasswordOwner, findPasswordProblem, hashPassword } from "./password.ts";

describe("a chosen password", () => {
  test.each([
    "password1234",
    "123456789012",
    "Password1234!",
    "P@ssw0rd12345",
    "qwertyuiop12",
    "iloveyou123456",
    "letmeinletmein",
    "admin1234567",
    "changeme12345",
    "abcdefghijklmnop",
    "licensedesk1",
    "aurorahosting",
    `${"a".repeat(60)}bcdef`,
  ])("is rejected if it is easy to guess: %s", async (password) => {
    const problem = await findPasswordProblem(password, "ops@aurorahosting.example");
    expect(problem).toMatch(/easy to guess|different|email/);
  });

  test.each(["correct horse battery", "quiet meadow 71 lanterns", "k7mfa-2qpxz-9rtdh-w3hnc", "wo der Pfeffer wächst"])(
    "can be a sentence or generated: %s",
    async (password) => {
      expect(await findPasswordProblem(password, "ops@aurorahosting.example")).toBeNull();
    },
  );

  test("is stored by Argon2id with the parameters that OWASP asks for", async () => {
    expect(await hashPassword("correct horse battery")).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test("of maximum length is checked within a second", async () => {
    await findPasswordProblem("warm up the lists", "ops@example.com");
    const startedAtMs = performance.now();
    for (const long of ["aB3$".repeat(50), "2026-11-22 ".repeat(18), "l33t4u$1".repeat(25)]) {
      await findPasswordProblem(long, "ops@example.com");
    }
    expect(performance.now() - startedAtMs).toBeLessThan(3_000);
  });
});

describe("for several users with one email address", () => {
  test("the user with the password is found by one computation", async () => {
    const first = await hashPassword("the first one's");
    const users = [
      { name: "first", passwordHash: first },
      { name: "second", passwordHash: await hashPassword("the second one's", first) },
    ];
    expect(await verify(users[1]?.passwordHash ?? "", "the second one's")).toBe(true);
    expect((await findPasswordOwner(users, "the first one's"))?.name).toBe("first");
    expect((await findPasswordOwner(users, "the second one's"))?.name).toBe("second");
    expect(await findPasswordOwner(users, "nobody's")).toBeNull();
    expect(await findPasswordOwner([], "nobody's")).toBeNull();
  });

  test("the user is found even if they do not share a salt", async () => {
    const users = [{ passwordHash: await hashPassword("one") }, { passwordHash: await hashPassword("other") }];
    expect(await findPasswordOwner(users, "other")).toBe(users[1]);
  });
});
