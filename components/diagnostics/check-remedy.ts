import type { Check } from "#lib/domain/server-checks.ts";
import { serverHref } from "./server.ts";

/** What ends a finding: a page that does, or a text to copy. */
export type Remedy =
  | { readonly label: string; readonly href: string }
  | { readonly label: string; readonly text: string };

/** For a check of the server at `address`; null: nothing was found that one could do something about. */
export function remedyOf(check: Check, address: string): Remedy | null {
  if (check.id === "name") return remedyOfName(check, address);
  const reinstall = { label: "Install agent again", href: `${serverHref(address)}#install` };
  if (check.id === "clock" && check.offsetS === null) return reinstall;
  if (check.verdict === "ok" || check.verdict === "unknown") return null;
  switch (check.id) {
    case "silent":
      return reinstall;
    case "address":
      return { label: "Move licenses", href: `/relocations?from=${check.bound}&to=${check.seen}` };
    case "disk":
      return { label: "Copy command to list large folders", text: "du -xhd2 / | sort -h | tail -20" };
    case "clock":
      return { label: "Copy command to set the clock", text: "timedatectl set-ntp true" };
    default:
      return check satisfies never;
  }
}

function remedyOfName({ hostname, finding }: Extract<Check, { readonly id: "name" }>, address: string): Remedy | null {
  switch (finding) {
    case "elsewhere":
    case "absent":
      return { label: "Copy A record", text: `${hostname}. A ${address}` };
    case "unanswered":
      return { label: "Look up again", href: serverHref(address) };
    case "matches":
    case "not_public":
    case "pending":
      return null;
    default:
      return finding satisfies never;
  }
}
