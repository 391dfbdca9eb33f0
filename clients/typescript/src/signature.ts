const encoder = new TextEncoder();

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The header `X-Signature` of one attempt (contract 3.14): a nonce lets equal requests follow each other. */
export async function signRequest(secret: string, method: string, url: string, body = ""): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const { pathname, search } = new URL(url);
  const [time, nonce] = [Math.floor(Date.now() / 1000), crypto.randomUUID()];
  const bodyHash = hex(await crypto.subtle.digest("SHA-256", encoder.encode(body)));
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  const signed = encoder.encode(`${time}.${nonce}.${method}.${pathname}${search}.${bodyHash}`);
  return `t=${time},n=${nonce},v1=${hex(await crypto.subtle.sign(algorithm, key, signed))}`;
}
