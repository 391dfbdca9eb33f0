import type { Alert } from "#components/overview/alert.ts";
import { numberText } from "#lib/domain/count-text.ts";
import { parseIpv4 } from "#lib/domain/ipv4.ts";
import type { Overview } from "#lib/services/overview/get.ts";

/** Verifications that fail until someone moves or renews the license. */
export function listVerificationAlerts(failing: Overview["failingVerifications"]): Alert[] {
  return failing.map(({ code, bound, seen, licenses, licenseId }) => {
    const isOne = licenses === 1;
    const subject = isOne ? "A license" : `${numberText(licenses)} licenses`;
    const license = { action: "View license", href: `/licenses/${licenseId}` };
    if (code === "EXPIRED") {
      return {
        id: `expired ${bound} ${seen}`,
        tone: "caution",
        title: `${subject} still used on ${seen} ${isOne ? "has" : "have"} expired`,
        detail: "Verification fails. Renew what the server still needs.",
        ...(isOne ? license : { action: "View licenses", href: "/licenses?status=expired" }),
      };
    }
    return {
      id: `mismatch ${bound} ${seen}`,
      tone: "critical",
      title: `${subject} bound to ${bound} ${isOne ? "fails" : "fail"} verification on ${seen}`,
      detail: `If the server has moved, move ${isOne ? "the license" : "its licenses"}. If you do not recognize ${seen}, someone else may be using the key.`,
      ...(parseIpv4(seen) === null
        ? license
        : { action: isOne ? "Move license" : "Move licenses", href: `/relocations?from=${bound}&to=${seen}` }),
    };
  });
}
