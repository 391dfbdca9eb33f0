import { createHash, createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createSigningSecret, signRequest, verifySignature } from "./request-signature.ts";

const SECRET = "lss_a-secret-of-tests";
const AT = 1_800_000_000;
const request = {
  method: "POST",
  target: "/api/v1/?endpoint=license.register",
  body: "product_id=1&cycle_id=2&ip_address=203.0.113.7",
};

/** The words of contract 3.14, put together here a second time. */
function byTheBook(secret: string, { method, target, body }: typeof request, at: number): string {
  const bodyHash = createHash("sha256").update(Buffer.from(body)).digest("hex");
  const payload = [String(at), method, target, bodyHash].join(".");
  return `t=${at},v1=${createHmac("sha256", Buffer.from(secret)).update(payload).digest("hex")}`;
}

describe("contract 3.14: request signatures", () => {
  test("the known answer", () => {
    expect(signRequest(SECRET, { method: "GET", target: "/api/v1/?endpoint=balance", body: "" }, AT)).toBe(
      byTheBook(SECRET, { method: "GET", target: "/api/v1/?endpoint=balance", body: "" }, AT),
    );
    expect(signRequest(SECRET, request, AT)).toBe(byTheBook(SECRET, request, AT));
    const emptyBody = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    const payload = `${AT}.GET./api/v1/licenses.${emptyBody}`;
    const expected = createHmac("sha256", SECRET).update(payload).digest("hex");
    expect(signRequest(SECRET, { method: "GET", target: "/api/v1/licenses", body: new Uint8Array() }, AT)).toBe(
      `t=${AT},v1=${expected}`,
    );
  });

  test("a genuine signature is accepted and returned", () => {
    const header = signRequest(SECRET, request, AT);
    const verdict = verifySignature(SECRET, { ...request, body: Buffer.from(request.body) }, header, AT);
    expect(verdict).toEqual({ kind: "genuine", signature: Buffer.from(header.split("v1=")[1] ?? "", "hex") });
  });

  test.each([
    ["body", { ...request, body: `${request.body}0` }],
    ["query", { ...request, target: "/api/v1/?endpoint=license.renew" }],
    ["path", { ...request, target: "/api/v1?endpoint=license.register" }],
    ["method", { ...request, method: "PUT" }],
  ])("a tampered %s is refused", (_, tampered) => {
    expect(verifySignature(SECRET, tampered, signRequest(SECRET, request, AT), AT)).toEqual({ kind: "forged" });
  });

  test("another secret, or another timestamp under the same signature, is rejected", () => {
    const header = signRequest(SECRET, request, AT);
    expect(verifySignature("lss_another", request, header, AT).kind).toBe("forged");
    expect(verifySignature(SECRET, request, header.replace(`t=${AT}`, `t=${AT + 1}`), AT).kind).toBe("forged");
  });

  test("the tolerance is five minutes either way, to the second", () => {
    for (const skew of [-300, 300]) {
      expect(verifySignature(SECRET, request, signRequest(SECRET, request, AT + skew), AT).kind).toBe("genuine");
    }
    for (const skew of [-301, 301]) {
      expect(verifySignature(SECRET, request, signRequest(SECRET, request, AT + skew), AT).kind).toBe("outdated");
    }
  });

  test.each([
    "",
    "v1=00",
    "t=1",
    `t=-5,v1=${"0".repeat(64)}`,
    `t=${AT},v1=${"G".repeat(64)}`,
    `t=1e9,v1=${"0".repeat(64)}`,
    `t=${AT},n=,v1=${"0".repeat(64)}`,
    `t=${AT},n=${"n".repeat(65)},v1=${"0".repeat(64)}`,
    `n=1,t=${AT},v1=${"0".repeat(64)}`,
  ])("%j is malformed", (header) => {
    expect(verifySignature(SECRET, request, header, AT).kind).toBe("malformed");
  });

  test("the nonce is signed between time and method, and distinguishes equal requests", () => {
    const header = signRequest(SECRET, request, AT, "n-1_a");
    const payload = [
      AT,
      "n-1_a",
      request.method,
      request.target,
      createHash("sha256").update(request.body).digest("hex"),
    ];
    const expected = createHmac("sha256", SECRET).update(payload.join(".")).digest("hex");
    expect(header).toBe(`t=${AT},n=n-1_a,v1=${expected}`);
    expect(verifySignature(SECRET, request, header, AT).kind).toBe("genuine");
    expect(header.split("v1=")[1]).not.toBe(signRequest(SECRET, request, AT, "n-2").split("v1=")[1]);
    for (const other of ["", ",n=n-1_b"]) {
      const moved = header.replace(",n=n-1_a", other);
      expect(verifySignature(SECRET, request, moved, AT).kind).toBe("forged");
    }
  });

  test("no nonce makes one request's text equal another's: it has no dot, and a target starts with a slash", () => {
    const inner = { ...request, method: "GET", target: `POST.${request.target}` };
    expect(signRequest(SECRET, request, AT, "GET").split("v1=")[1]).toBe(
      signRequest(SECRET, inner, AT).split("v1=")[1],
    );
    expect(inner.target.startsWith("/")).toBe(false);
    expect(verifySignature(SECRET, request, signRequest(SECRET, request, AT, "a.b"), AT).kind).toBe("malformed");
  });

  test("a signing secret has 256 random bits", () => {
    const secret = createSigningSecret((count) => new Uint8Array(count).fill(255));
    expect(secret).toBe(`lss_${Buffer.alloc(32, 255).toString("base64url")}`);
  });
});
