import { createHmac, timingSafeEqual } from "node:crypto";
import type { UserId } from "./ids.ts";

/**
 * The cookie of a known device, with one entry per user: `<device id>.<user id>.<issued at>.<HMAC>`. The HMAC covers the
 * account, the email address, which the entry does not name. An entry grants no access: it only counts the device's
 * attempts separately (docs/decisions/0025).
 */
const entryPattern = /^([A-Za-z0-9_-]{22})\.(\d{1,10})\.(\d{1,12})\.([A-Za-z0-9_-]{43})$/;
const SEPARATOR = "~";
const MAX_USERS = 5;
const COOKIE_MAX_LENGTH = 1_000;

export const KNOWN_DEVICE_DAYS = 180;
const KNOWN_DEVICE_SECONDS = KNOWN_DEVICE_DAYS * 86_400;

/** A user who has signed in on the device, which is known for no other user of the same address. */
export interface KnownDevice {
  readonly userId: UserId;
  readonly deviceId: string;
}

/** What the cookie keeps of it. */
export interface AccountDevice extends KnownDevice {
  /** The user's email address. */
  readonly account: string;
}

interface Entry extends KnownDevice {
  readonly text: string;
  readonly issuedAt: number;
  readonly mac: string;
}

/** For the users of an account who have signed in on this device, and not too long ago. */
export function findKnownDevices(cookie: string, account: string, secret: string, nowSeconds: number): KnownDevice[] {
  const isKnown = (entry: Entry) =>
    isEntryFor(entry, account, secret) && entry.issuedAt + KNOWN_DEVICE_SECONDS > nowSeconds;
  return readEntries(cookie)
    .filter(isKnown)
    .map(({ userId, deviceId }) => ({ userId, deviceId }));
}

/** Puts the user's entry first, replacing an earlier one. Drops the oldest entry beyond the limit. */
export function rememberDevice(
  cookie: string,
  { account, userId, deviceId }: AccountDevice,
  secret: string,
  nowSeconds: number,
): string {
  const others = readEntries(cookie).filter((entry) => entry.userId !== userId || !isEntryFor(entry, account, secret));
  const added = `${deviceId}.${userId}.${nowSeconds}`;
  const mac = computeMac(added, account, secret);
  return [`${added}.${mac}`, ...others.map(({ text }) => text)].slice(0, MAX_USERS).join(SEPARATOR);
}

function readEntries(cookie: string): Entry[] {
  if (cookie.length > COOKIE_MAX_LENGTH) return [];
  return cookie.split(SEPARATOR).flatMap((text) => {
    const [, deviceId = "", userId = "", issuedAt = "", mac = ""] = entryPattern.exec(text) ?? [];
    return deviceId === ""
      ? []
      : [{ text, deviceId, userId: Number(userId) as UserId, issuedAt: Number(issuedAt), mac }];
  });
}

function isEntryFor({ text, mac }: Entry, account: string, secret: string): boolean {
  const signed = text.slice(0, text.lastIndexOf("."));
  return timingSafeEqual(Buffer.from(mac), Buffer.from(computeMac(signed, account, secret)));
}

function computeMac(signed: string, account: string, secret: string): string {
  return createHmac("sha256", secret).update(`known device\0${signed}\0${account}`).digest("base64url");
}
