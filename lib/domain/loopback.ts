import { cidrContains, parseCidr } from "./cidr.ts";

const LOOPBACK = ["127.0.0.0/8", "::1"].map(parseCidr).filter((cidr) => cidr !== null);

/** Whether a host name or address is that of this machine alone. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  return name === "localhost" || LOOPBACK.some((cidr) => cidrContains(cidr, name));
}

/** Whether only this machine reaches the server: neither its address nor its public URL is another one. */
export function isReachedLocally(env: { readonly HOST: string; readonly NEXTAUTH_URL?: string | undefined }): boolean {
  const isPublic = env.NEXTAUTH_URL !== undefined && !isLoopback(new URL(env.NEXTAUTH_URL).hostname);
  return isLoopback(env.HOST) && !isPublic;
}
