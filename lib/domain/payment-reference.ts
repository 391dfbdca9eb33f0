import type { ResellerId } from "./ids.ts";

/** For a reseller's payments: tells whose money a transfer is. */
export function paymentReference(resellerId: ResellerId, payment: number): string {
  return `LD-${resellerId}-${payment}`;
}

const ours = /(?<![a-z\d])l[^a-z\d]*d((?:\d|[^a-z\d]{1,20}[\doil])[\doil]{0,20})[^a-z\d]+[\doil]/gi;
const invisible = /\p{Default_Ignorable_Code_Point}/gu;
const dashes = /[\p{Pd}\u2212]/gu;

/** Without invisible characters, in letters of one width, with single spaces and one kind of dash. */
export function plainReference(typed: string): string {
  const visible = typed.replaceAll(invisible, "").normalize("NFKC");
  return visible.replaceAll(dashes, "-").replaceAll(/\s+/g, " ").trim();
}

/** The first character that looks like others: letters of other scripts, those with marks, `|` (docs/decisions/0085). */
export function findForeignCharacter(reference: string): string | undefined {
  return /[^ -{}~]/u.exec(reference)?.[0];
}

/**
 * Whether it names one that we gave another reseller, with whatever signs between its letters and numbers, and letters
 * that look like its digits.
 * @param reference as `plainReference` spells it, without foreign characters
 */
export function isPaymentOfAnother(reference: string, resellerId: ResellerId): boolean {
  return [...reference.matchAll(ours)].some(([, owner = ""]) => {
    const digits = owner.replaceAll(/o/gi, "0").replaceAll(/[il]/gi, "1").replaceAll(/\D/g, "");
    return Number(digits) !== resellerId;
  });
}
