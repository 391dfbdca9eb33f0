/** Kinds of environment variables. */
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { isLoopback } from "#lib/domain/loopback.ts";

function isCidr(text: string): boolean {
  try {
    ipaddr.parseCIDR(text);
    return true;
  } catch {
    return false;
  }
}

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
    .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ""))
    .refine((list) => list.every(isCidr), "must be a comma-separated list of CIDRs, such as 10.0.0.0/8");
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
