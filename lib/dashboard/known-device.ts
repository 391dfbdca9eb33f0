import { cookies } from "next/headers";
import { findKnownDevice, KNOWN_DEVICE_DAYS, rememberDevice } from "#lib/domain/known-device.ts";
import { readEnv } from "#lib/env.ts";
import { authCookie } from "./auth-cookie.ts";

const SECONDS_PER_DAY = 86_400;

const cookie = () => authCookie("known-device");
const nowSeconds = () => Math.floor(Date.now() / 1_000);
const readCookie = async () => (await cookies()).get(cookie().name)?.value ?? "";

/** The browser's device id per account. None without NEXTAUTH_SECRET. */
export async function readKnownDevices(): Promise<(account: string) => string | null> {
  const secret = readEnv().NEXTAUTH_SECRET;
  const value = await readCookie();
  return (account) => (secret === undefined ? null : findKnownDevice(value, account, secret, nowSeconds()));
}

/** For a browser that has just signed in, or set a password by a link. Works only in a route handler or server action. */
export async function storeKnownDevice(account: string, deviceId: string): Promise<void> {
  const secret = readEnv().NEXTAUTH_SECRET;
  if (secret === undefined) return;
  const value = rememberDevice(await readCookie(), { account, deviceId }, secret, nowSeconds());
  (await cookies()).set({ ...cookie(), value, maxAge: KNOWN_DEVICE_DAYS * SECONDS_PER_DAY });
}
