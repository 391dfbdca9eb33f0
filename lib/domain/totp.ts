import { Secret, TOTP } from "otpauth";

const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** Clocks of phones and server may differ by one step. */
const WINDOW = 1;
const ISSUER = "License Desk";
const CODE = /^\d{6}$/;

/** Base32. */
export function createTotpSecret(randomBytes: (count: number) => Uint8Array): string {
  return new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32;
}

/** The address that authenticator apps read from a QR code. */
export function totpUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/** The time step that a code is of, or null: a wrong code, or one of more than a step ago. */
export function findTotpStep(secret: string, code: string, now: Date): number | null {
  if (!CODE.test(code)) return null;
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : Math.floor(timestamp / 1_000 / PERIOD_SECONDS) + delta;
}

function totpOf(secret: string, label = ""): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });
}
