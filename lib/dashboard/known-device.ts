import { cookies } from "next/headers";
import {
  type AccountDevice,
  findKnownDevices,
  KNOWN_DEVICE_DAYS,
  type KnownDevice,
  rememberDevice,
} from "#lib/domain/known-device.ts";
import { readEnv } from "#lib/env.ts";
import { authCookie } from "./auth-cookie.ts";

const SECONDS_PER_DAY = 86_400;

const cookie = () => authCookie("known-device");
const nowSeconds = () => Math.floor(Date.now() / 1_000);
const readCookie = async () => (await cookies()).get(cookie().name)?.value ?? "";

/** The browser's known devices, by account. None without NEXTAUTH_SECRET. */
export async function readKnownDevices(): Promise<(account: string) => readonly KnownDevice[]> {
  const secret = readEnv().NEXTAUTH_SECRET;
  const value = await readCookie();
  return (account) => (secret === undefined ? [] : findKnownDevices(value, account, secret, nowSeconds()));
}

/** For a browser that has just signed in, or set a password by a link. Works only in a route handler or server action. */
export async function storeKnownDevice(device: AccountDevice): Promise<void> {
  const secret = readEnv().NEXTAUTH_SECRET;
  if (secret === undefined) return;
  const value = rememberDevice(await readCookie(), device, secret, nowSeconds());
  (await cookies()).set({ ...cookie(), value, maxAge: KNOWN_DEVICE_DAYS * SECONDS_PER_DAY });
}
