import type { ResellerId } from "./ids.ts";

/** For a reseller's payments: tells whose money a transfer is. */
export function paymentReference(resellerId: ResellerId, payment: number): string {
  return `LD-${resellerId}-${payment}`;
}

const ours = /(?<![\p{L}\d])l[^\p{L}\p{N}]*d[^\p{L}\p{N}]*0*(\d{1,10})[^\p{L}\p{N}]+\d/giu;
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/** Without invisible characters, in letters of one width and with single spaces, so that no variant pays a second time. */
export function plainReference(typed: string): string {
  return typed.replaceAll(invisible, "").normalize("NFKC").replaceAll(/\s+/g, " ").trim();
}

/**
 * Whether it names one that we gave another reseller, with whatever signs between its letters and numbers.
 * @param reference as `plainReference` spells it
 */
export function isPaymentOfAnother(reference: string, resellerId: ResellerId): boolean {
  return [...reference.matchAll(ours)].some(([, owner]) => owner !== String(resellerId));
}
