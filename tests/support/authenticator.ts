import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const HAS_CREDENTIAL = 64;

interface Ceremony {
  readonly origin: string;
  readonly rpId: string;
  /** In base64url. */
  readonly challenge: string;
}

interface Options {
  /** Default: true. */
  readonly verified?: boolean;
  /** Default: none, as browsers send if they are not asked for one. */
  readonly attestation?: { readonly format: string; readonly statement: Buffer };
}

const NO_ATTESTATION = { format: "none", statement: Buffer.from([0xa0]) };

export interface Authenticator {
  /** The signature counter, which a test may set back. */
  counter: number;
  create(ceremony: Ceremony, options?: Options): string;
  sign(ceremony: Ceremony, options?: Options & { readonly userHandle?: string }): string;
}

/** A passkey in software: what a browser returns, as JSON, without the library that the product uses. */
export function createAuthenticator(): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const credentialId = randomBytes(16);
  const id = credentialId.toString("base64url");
  const authenticator: Authenticator = {
    counter: 0,
    create(ceremony, { verified = true, attestation = NO_ATTESTATION } = {}) {
      const coordinates = [x, y].map((text) => byteString(Buffer.from(text, "base64url")));
      // {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
      const key = Buffer.concat([
        Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
        coordinates[0] ?? Buffer.alloc(0),
        Buffer.from([0x22]),
        coordinates[1] ?? Buffer.alloc(0),
      ]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const flags = USER_PRESENT | HAS_CREDENTIAL | (verified ? USER_VERIFIED : 0);
      const data = Buffer.concat([dataOf(ceremony, flags), Buffer.alloc(16), length, credentialId, key]);
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        ...[textString("fmt"), textString(attestation.format), textString("attStmt"), attestation.statement],
        ...[textString("authData"), byteString(data)],
      ]);
      const response = { clientDataJSON: clientData("webauthn.create", ceremony), attestationObject };
      return answer({ ...encode(response), transports: ["internal"] });
    },
    sign(ceremony, { verified = true, userHandle } = {}) {
      authenticator.counter += 1;
      const authenticatorData = dataOf(ceremony, USER_PRESENT | (verified ? USER_VERIFIED : 0));
      const clientDataJSON = clientData("webauthn.get", ceremony);
      const signed = Buffer.concat([authenticatorData, createHash("sha256").update(clientDataJSON).digest()]);
      const signature = createSign("sha256").update(signed).sign(privateKey);
      const handle = userHandle === undefined ? {} : { userHandle: Buffer.from(userHandle).toString("base64url") };
      return answer({ ...encode({ authenticatorData, clientDataJSON, signature }), ...handle });
    },
  };
  return authenticator;

  function dataOf({ rpId }: Ceremony, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(authenticator.counter);
    return Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.from([flags]), counter]);
  }

  function answer(response: object): string {
    return JSON.stringify({ id, rawId: id, type: "public-key", response, clientExtensionResults: {} });
  }
}

function clientData(type: string, { challenge, origin }: Ceremony): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function encode(parts: Readonly<Record<string, Buffer>>): Record<string, string> {
  return Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [name, bytes.toString("base64url")]));
}

/** CBOR. */
function textString(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}

/** CBOR, of at least 24 bytes. */
function byteString(bytes: Buffer): Buffer {
  if (bytes.length < 256) return Buffer.concat([Buffer.from([0x58, bytes.length]), bytes]);
  return Buffer.concat([Buffer.from([0x59, bytes.length >> 8, bytes.length & 255]), bytes]);
}
