import { type Env, readEnv } from "#lib/env.ts";

/**
 * The environment with variables that `npm start` sets if the operator does not.
 * @throws Error with a line for each variable that is invalid or, if none is, missing
 */
export function requireEnv<Name extends keyof Env>(
  names: readonly Name[],
): Env & { readonly [Key in Name]: NonNullable<Env[Key]> } {
  const env = readEnv();
  const missing = names.filter((name) => env[name] === undefined);
  if (missing.length === 0) return env as ReturnType<typeof requireEnv<Name>>;
  throw new Error(missing.map((name) => `${name} is not set: start with \`npm start\`, or set it.`).join("\n"));
}
