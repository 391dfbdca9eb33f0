/** Kinds of environment variables. */
import { z } from "zod";
import { type Cidr, parseCidr } from "#lib/domain/cidr.ts";
import { isLoopback } from "#lib/domain/loopback.ts";

/** The bounds become part of the documentation (`npm run docs:env`). */
export function integer(min: number, max: number, fallback: number) {
  return wholeNumber(min, max).default(fallback).meta({ minimum: min, maximum: max });
}

export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,10}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .meta({ minimum: min, maximum: max });
}

export function cidrs() {
  return z
    .string()
    .default("")
    .transform((text, ctx): readonly Cidr[] => {
      const ranges = text.split(/[\s,]+/).filter((part) => part !== "");
      const parsed = ranges
        .map((range) => (range.includes("/") ? parseCidr(range) : null))
        .filter((cidr) => cidr !== null);
      if (parsed.length === ranges.length) return parsed;
      ctx.addIssue({ code: "custom", message: "must be a comma-separated list of CIDRs, such as 10.0.0.0/8" });
      return z.NEVER;
    });
}

export const onOff = z.enum(["on", "off"], { error: "must be on or off" });

export const flag = z.enum(["0", "1"], { error: "must be 0 or 1" }).default("0");

export const postgresUrl = z.string().regex(/^postgres(ql)?:\/\/./, "must start with postgresql://");

export const secret = z.string().min(32, "must have at least 32 characters").optional();

/** A token names its issuer by this text. */
export function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, search, hash } = new URL(text);
  return (protocol === "https:" || (protocol === "http:" && isLoopback(hostname))) && username + search + hash === "";
}
