import { readEnv } from "#lib/env.ts";

const DEVELOPMENT_URL = "http://localhost:3000";

/** Where the dashboard is, e.g. `https://desk.example.com`. */
export function publicOrigin(): string {
  return new URL(readEnv().NEXTAUTH_URL ?? DEVELOPMENT_URL).origin;
}

/** Where integrators reach the API, e.g. `https://desk.example.com/api/v1`. */
export function publicApiUrl(): string {
  return `${publicOrigin()}/api/v1`;
}
