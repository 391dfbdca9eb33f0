import { createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { apiKeyHint, createApiKey, hashApiKey, parseApiKey } from "./api-key.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const anyMode = fc.constantFrom("live" as const, "test" as const);
const anyKey = anyMode.map((mode) => createApiKey(mode, randomBytes));

function fromBase62(text: string): number {
  return [...text].reduce((value, character) => value * 62 + ALPHABET.indexOf(character), 0);
}

describe("API keys", () => {
  test("contract 1.13: a new key has the form and parses to its mode", () => {
    fc.assert(
      fc.property(anyMode, (mode) => {
        const key = createApiKey(mode, randomBytes);
        expect(key).toMatch(new RegExp(`^lk_${mode}_[0-9A-Za-z]{38}$`));
        expect(parseApiKey(key)).toEqual({ mode });
      }),
    );
  });

  test("contract 1.13: the expression for secret scanners finds keys in text, and nothing shorter or longer", () => {
    const rules = readFileSync(join(import.meta.dirname, "../../docs/contract/rules.md"), "utf8");
    const [, source = ""] = /Secret scanners find keys with `([^`]+)`/.exec(rules) ?? [];
    fc.assert(
      fc.property(anyKey, (key) => {
        expect(`key="${key}" # ${key}0 ${key.slice(0, -1)}`.match(new RegExp(source, "g"))).toEqual([key]);
      }),
    );
  });

  test("contract 1.13: the last six characters are the CRC32 of all before them, as zlib computes it", () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        expect(fromBase62(key.slice(-6))).toBe(crc32(key.slice(0, -6)));
      }),
    );
  });

  test("contract 1.13: a single mistyped character is rejected without a query", () => {
    fc.assert(
      fc.property(
        anyKey,
        fc.nat(45),
        fc.constantFrom(...ALPHABET, "_", "-", " ", "é", "\0"),
        (key, index, character) => {
          const mistyped = `${key.slice(0, index)}${character}${key.slice(index + 1)}`;
          expect(parseApiKey(mistyped) !== null).toBe(mistyped === key);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("contract 1.13: the mode is part of what the checksum covers", () => {
    const key = createApiKey("test", randomBytes);
    expect(parseApiKey(key.replace("lk_test_", "lk_live_"))).toBeNull();
  });

  test("contract 1.13: malformed keys are rejected", () => {
    const key = createApiKey("live", randomBytes);
    for (const text of ["", "lk_live_", ` ${key}`, `${key} `, key.slice(0, -1), key.toUpperCase(), `${key}0`]) {
      expect(parseApiKey(text)).toBeNull();
    }
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(parseApiKey(text)).toBeNull();
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 38, maxLength: 38 }), (text) => {
        expect(parseApiKey(`lk_live_${text}`)).toBeNull();
      }),
    );
  });

  test("contract 1.13: bytes that would bias the distribution are discarded", () => {
    const bytes = Array.from({ length: 256 }, (_, byte) => byte);
    let offset = 248;
    const key = createApiKey("live", (count) => {
      const chunk = Uint8Array.from({ length: count }, (_, index) => bytes[(offset + index) % 256] ?? 0);
      offset += count;
      return chunk;
    });
    expect(key.slice(8, 40)).toBe(ALPHABET.slice(0, 32));
  });

  test("contract 1.13: the stored hash is HMAC-SHA256 under the pepper", () => {
    expect(hashApiKey("lk_live_x", "pepper")).toEqual(createHmac("sha256", "pepper").update("lk_live_x").digest());
    expect(hashApiKey("lk_live_x", "pepper")).toEqual(hashApiKey("lk_live_x", Buffer.from("pepper")));
    expect(hashApiKey("lk_live_x", "pepper")).not.toEqual(hashApiKey("lk_live_x", "another pepper"));
    expect(hashApiKey("lk_live_x", "pepper")).toHaveLength(32);
  });

  test("contract 1.13: the hint shows mode and ends, and hides 30 of the 32 random characters", () => {
    expect(apiKeyHint(`lk_live_ab${"-".repeat(30)}01wxyz`)).toBe("lk_live_ab…wxyz");
  });
});
