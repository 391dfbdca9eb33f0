/** An issuer on 127.0.0.1 that answers with whatever token the test makes. */
import { createHmac, createPublicKey, createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";

export interface Token {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** `none`: no signature; `hmac`: HS256 with the public key as its secret. */
  readonly by: KeyObject | "hmac" | "none";
}

export interface HostileIssuer {
  readonly url: string;
  readonly key: KeyObject;
  /** What the token endpoint answers from now on. */
  answerWith(token: Token): void;
  /** Instead of the key that it had, a private one's public half. */
  publish(key: KeyObject, kid: string): void;
  /** How often its keys were asked for. */
  keysRead(): number;
  /** With which error the token endpoint refuses every code from now on. */
  refuseWith(error: string): void;
  /** Overrides the description of the issuer. */
  describe(metadata: Readonly<Record<string, unknown>>): void;
  /** Endpoints that never answer, or never get to the end of their answer, by path. */
  hang(path: string, after?: "nothing" | "headers"): void;
  /** An endpoint that answers with more than anyone can store, packed. */
  flood(path: string): void;
  close(): Promise<void>;
}

const rsa = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
export const otherKey = rsa().privateKey;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

export async function startHostileIssuer(): Promise<HostileIssuer> {
  const { privateKey, publicKey } = rsa();
  const pem = publicKey.export({ type: "spki", format: "pem" });
  let idToken = "";
  let refusal: string | null = null;
  let described: object = {};
  let published = { key: publicKey, kid: "1" };
  let keysRead = 0;
  const hanging = new Map<string, "nothing" | "headers">();
  const flooding = new Set<string>();
  const server = createServer(({ url: path = "" }, response) => {
    if (flooding.has(path)) return flood(response);
    if (hanging.get(path) === "headers") {
      response.writeHead(200, { "content-type": "application/json" }).write("{");
      return;
    }
    if (hanging.has(path)) return;
    if (path === "/token" && refusal !== null) return send(response, { error: refusal }, 400);
    if (path === "/token") return send(response, { access_token: "a", token_type: "bearer", id_token: idToken });
    if (path === "/jwks") {
      keysRead += 1;
      return send(response, {
        keys: [{ ...published.key.export({ format: "jwk" }), kid: published.kid, use: "sig", alg: "RS256" }],
      });
    }
    send(response, {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
      ...described,
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function sign(text: string, by: Token["by"]): string {
    if (by === "none") return "";
    if (by === "hmac") return createHmac("sha256", pem).update(text).digest("base64url");
    return createSign("sha256").update(text).sign(by).toString("base64url");
  }

  return {
    url,
    key: privateKey,
    answerWith({ header, claims, by }) {
      const text = `${encode(header)}.${encode(claims)}`;
      idToken = `${text}.${sign(text, by)}`;
    },
    publish(key, kid) {
      published = { key: createPublicKey(key), kid };
    },
    keysRead: () => keysRead,
    refuseWith(error) {
      refusal = error;
    },
    describe(metadata) {
      described = metadata;
    },
    hang: (path, after = "nothing") => void hanging.set(path, after),
    flood: (path) => void flooding.add(path),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Spaces without an end, a thousandth of their size on the wire. */
function flood(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
  const spaces = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(1_048_576, " ");
    })(),
  );
  pipeline(spaces, createGzip(), response, () => {});
}

function send(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
