import type { ResellerId } from "./ids.ts";

/** For a reseller's payments: tells whose money a transfer is. */
export function paymentReference(resellerId: ResellerId, payment: number): string {
  return `LD-${resellerId}-${payment}`;
}

const ours = /(?<![\p{L}\d])ld\p{Pd}0*(\d{1,10})\p{Pd}\d/giu;

/** Whether it names one that we gave another reseller, however it is spelled. */
export function isPaymentOfAnother(reference: string, resellerId: ResellerId): boolean {
  return [...reference.normalize("NFKC").matchAll(ours)].some(([, owner]) => owner !== String(resellerId));
}
