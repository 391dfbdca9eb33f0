import { createDecipheriv, randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openSecret, parseSealingKey, type SealingKey, sealSecret, UnsealingError } from "./sealed-secret.ts";

function keyOf(byte: number): SealingKey {
  const key = parseSealingKey(Buffer.alloc(32, byte).toString("base64"));
  if (!key) throw new Error("no key");
  return key;
}

const key = keyOf(7);
const random = (count: number) => randomBytes(count);

describe("sealed secrets", () => {
  test("any sealed text can be opened", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (secret, owner) => {
        expect(openSecret(sealSecret(secret, owner, key, random), owner, key)).toBe(secret);
      }),
    );
  });

  test("the format is AES-256-GCM with version, key id, IV, tag and text, readable by another implementation", () => {
    const sealed = Buffer.from(sealSecret("hello", "provider:upstream", key, random));
    const decipher = createDecipheriv("aes-256-gcm", Buffer.alloc(32, 7), sealed.subarray(5, 17));
    decipher.setAAD(Buffer.from("provider:upstream"));
    decipher.setAuthTag(sealed.subarray(17, 33));
    expect(decipher.update(sealed.subarray(33), undefined, "utf8") + decipher.final("utf8")).toBe("hello");
  });

  test("the same secret is sealed differently each time", () => {
    const [first, second] = [sealSecret("s", "o", key, random), sealSecret("s", "o", key, random)];
    expect(Buffer.from(first).equals(second)).toBe(false);
  });

  test("it cannot be opened for another owner, with another key, or with one bit changed", () => {
    const sealed = sealSecret("secret", "provider:a", key, random);
    expect(() => openSecret(sealed, "provider:b", key)).toThrow(UnsealingError);
    expect(() => openSecret(sealed, "provider:a", keyOf(8))).toThrow("another ENCRYPTION_KEY");
    for (let index = 0; index < sealed.length; index++) {
      const damaged = Uint8Array.from(sealed);
      damaged[index] = (damaged[index] ?? 0) ^ 1;
      expect(() => openSecret(damaged, "provider:a", key)).toThrow(UnsealingError);
    }
    expect(() => openSecret(sealed.subarray(0, 20), "provider:a", key)).toThrow(UnsealingError);
  });

  test("a key has exactly 32 bytes", () => {
    expect(parseSealingKey(Buffer.alloc(31).toString("base64"))).toBeNull();
    expect(parseSealingKey("")).toBeNull();
  });
});
