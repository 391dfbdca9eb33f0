import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * A browser in which somebody has signed in before says so by a cookie with one entry per account:
 * `<device id>.<issued at>.<HMAC>`. The HMAC covers the account, which the entry does not name. An entry lets nobody in:
 * it only counts the browser's attempts apart from those of strangers (docs/decisions/0025).
 */
const entryPattern = /^([A-Za-z0-9_-]{22})\.(\d{1,12})\.([A-Za-z0-9_-]{43})$/;
const SEPARATOR = "~";
const MAX_ACCOUNTS = 5;
const COOKIE_MAX_LENGTH = 1_000;

export const KNOWN_DEVICE_DAYS = 180;
const KNOWN_DEVICE_SECONDS = KNOWN_DEVICE_DAYS * 86_400;

interface Entry {
  readonly text: string;
  readonly deviceId: string;
  readonly issuedAt: number;
  readonly mac: string;
}

/** The id of this browser for an account; null: nobody has signed in to the account here, or too long ago. */
export function findKnownDevice(cookie: string, account: string, secret: string, nowSeconds: number): string | null {
  const entry = readEntries(cookie).find((candidate) => isOf(candidate, account, secret));
  if (!entry || entry.issuedAt + KNOWN_DEVICE_SECONDS <= nowSeconds) return null;
  return entry.deviceId;
}

/** The cookie with an entry for this account first, in place of an earlier one. The oldest of too many is dropped. */
export function rememberDevice(
  cookie: string,
  { account, deviceId }: { readonly account: string; readonly deviceId: string },
  secret: string,
  nowSeconds: number,
): string {
  const others = readEntries(cookie).filter((entry) => !isOf(entry, account, secret));
  const added = `${deviceId}.${nowSeconds}.${macOf(deviceId, nowSeconds, account, secret)}`;
  return [added, ...others.map(({ text }) => text)].slice(0, MAX_ACCOUNTS).join(SEPARATOR);
}

function readEntries(cookie: string): Entry[] {
  if (cookie.length > COOKIE_MAX_LENGTH) return [];
  return cookie.split(SEPARATOR).flatMap((text) => {
    const [, deviceId = "", issuedAt = "", mac = ""] = entryPattern.exec(text) ?? [];
    return deviceId === "" ? [] : [{ text, deviceId, issuedAt: Number(issuedAt), mac }];
  });
}

function isOf({ deviceId, issuedAt, mac }: Entry, account: string, secret: string): boolean {
  return timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(deviceId, issuedAt, account, secret)));
}

function macOf(deviceId: string, issuedAt: number, account: string, secret: string): string {
  return createHmac("sha256", secret).update(`known device\0${deviceId}\0${issuedAt}\0${account}`).digest("base64url");
}
