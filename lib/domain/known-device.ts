import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * The cookie of a known device, with one entry per account: `<device id>.<issued at>.<HMAC>`. The HMAC covers the
 * account, which the entry does not name. An entry grants no access: it only counts the device's attempts separately
 * (docs/decisions/0025).
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

/** The device id for an account; null if the account never signed in on this device, or too long ago. */
export function findKnownDevice(cookie: string, account: string, secret: string, nowSeconds: number): string | null {
  const entry = readEntries(cookie).find((candidate) => isEntryFor(candidate, account, secret));
  if (!entry || entry.issuedAt + KNOWN_DEVICE_SECONDS <= nowSeconds) return null;
  return entry.deviceId;
}

/** Puts the account's entry first, replacing an earlier one. Drops the oldest entry beyond the limit. */
export function rememberDevice(
  cookie: string,
  { account, deviceId }: { readonly account: string; readonly deviceId: string },
  secret: string,
  nowSeconds: number,
): string {
  const others = readEntries(cookie).filter((entry) => !isEntryFor(entry, account, secret));
  const added = `${deviceId}.${nowSeconds}.${computeMac(deviceId, nowSeconds, account, secret)}`;
  return [added, ...others.map(({ text }) => text)].slice(0, MAX_ACCOUNTS).join(SEPARATOR);
}

function readEntries(cookie: string): Entry[] {
  if (cookie.length > COOKIE_MAX_LENGTH) return [];
  return cookie.split(SEPARATOR).flatMap((text) => {
    const [, deviceId = "", issuedAt = "", mac = ""] = entryPattern.exec(text) ?? [];
    return deviceId === "" ? [] : [{ text, deviceId, issuedAt: Number(issuedAt), mac }];
  });
}

function isEntryFor({ deviceId, issuedAt, mac }: Entry, account: string, secret: string): boolean {
  return timingSafeEqual(Buffer.from(mac), Buffer.from(computeMac(deviceId, issuedAt, account, secret)));
}

function computeMac(deviceId: string, issuedAt: number, account: string, secret: string): string {
  return createHmac("sha256", secret).update(`known device\0${deviceId}\0${issuedAt}\0${account}`).digest("base64url");
}
