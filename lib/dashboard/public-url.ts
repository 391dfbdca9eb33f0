import { publicOriginOf, readEnv } from "#lib/env.ts";

/** Where the dashboard is, e.g. `https://desk.example.com`. */
export function publicOrigin(): string {
  return publicOriginOf(readEnv());
}

/** Where integrators reach the API, e.g. `https://desk.example.com/api/v1`. */
export function publicApiUrl(): string {
  return `${publicOrigin()}/api/v1`;
}
