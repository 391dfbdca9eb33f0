import { z } from "zod";
import { expiries, ON_A_DAY } from "#components/api-key/expiries.ts";
import type { InCamelCase } from "#lib/domain/field-names.ts";
import { type Scope, scopes } from "#lib/domain/scopes.ts";
import { parameter } from "#lib/http/parameters.ts";

const MAX_CIDRS_LENGTH = 10_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

export const typedNumber = z
  .string()
  .trim()
  .transform((text): string | number => text);
export const rateLimit = parameter.integerUpTo(1_000_000);

/** What each field may hold is the service's to say; here, only that it can be read. */
export const createSchema = z
  .strictObject({
    name: z.string().trim().min(1, "Give the key a name."),
    scopes: z.array(z.enum(scopes)).min(1, "Choose at least one scope.").readonly(),
    license_id: z
      .string()
      .trim()
      .transform((text) => text || undefined)
      .pipe(parameter.licenseId.optional()),
    cidrs: parameter.limited(MAX_CIDRS_LENGTH),
    expires: z.string(),
    expires_at: z.string(),
    signing: z.enum(["none", "optional", "required"]),
    rate_limit: typedNumber.transform((text) => text || undefined).pipe(rateLimit.optional()),
  })
  .refine(({ expires, expires_at }) => expires !== ON_A_DAY || endOfDay(expires_at) !== null, {
    path: ["expires_at"],
    message: "Choose the last day on which it works.",
  })
  .refine(
    ({ expires, expires_at }) => expires !== ON_A_DAY || (endOfDay(expires_at)?.getTime() ?? Infinity) > Date.now(),
    { path: ["expires_at"], message: "Choose a day that is not over yet." },
  );

type CreateInput = InCamelCase<z.output<typeof createSchema>>;

/** When a key ends that is made now; null: never. */
export function expiryOf({ expires, expiresAt }: CreateInput, now: Date): Date | null {
  if (expires === ON_A_DAY) return endOfDay(expiresAt);
  const days = expiries.find(({ value }) => value === expires)?.days ?? null;
  return days === null ? null : new Date(now.getTime() + days * DAY_MS);
}

/** As typed → one by one. */
export function cidrsOf(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((part) => part !== ""))];
}

/** Each scope once. */
export function scopesOf(given: readonly Scope[]): Scope[] {
  return scopes.filter((scope) => given.includes(scope));
}

/** The midnight that ends a day in UTC; null for what is no day. */
function endOfDay(day: string): Date | null {
  const begin = new Date(`${day}T00:00:00Z`);
  if (!DAY.test(day) || Number.isNaN(begin.getTime()) || begin.toISOString().slice(0, DAY_LENGTH) !== day) return null;
  return new Date(begin.getTime() + DAY_MS);
}

const DAY_LENGTH = "YYYY-MM-DD".length;
