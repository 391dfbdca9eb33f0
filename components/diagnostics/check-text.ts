import type { Check, CheckId } from "#lib/domain/server-checks.ts";
import { sizeText, spanText } from "./amounts.ts";

export interface CheckText {
  /** What was found, in a few words. */
  readonly title: string;
  /** The same with its figures. */
  readonly finding: string;
  /** What to do about it, with commands and names between backticks; null: nothing. */
  readonly advice: string | null;
}

/** What a list can be filtered by. */
export const problemNames = {
  silent: "Silent",
  address: "Wrong address",
  disk: "Low disk",
  clock: "Clock drift",
} as const satisfies Record<Exclude<CheckId, "name">, string>;
export type ServerProblem = keyof typeof problemNames;
export const serverProblems = Object.keys(problemNames) as ServerProblem[];

/** A check in words, the same wherever it is shown. */
export function describeCheck(check: Check): CheckText {
  switch (check.id) {
    case "silent":
      return describeSilence(check);
    case "address":
      return describeAddress(check);
    case "disk":
      return describeDisk(check);
    case "clock":
      return describeClock(check);
    case "name":
      return describeName(check);
    default:
      return check satisfies never;
  }
}

/** What was found at a server, as a sentence of it. */
export function describeFinding(hostname: string, check: Check): string {
  switch (check.id) {
    case "silent":
      return `${hostname} has not reported for ${spanText(check.reportAgeMs / 1_000)}`;
    case "address":
      return `${hostname} reports from ${check.seen}`;
    case "disk":
      return `${hostname} has ${sizeText(check.freeMb)} disk left`;
    default:
      return `${hostname}: ${describeCheck(check).title.replace(/^The/, "the")}`;
  }
}

type Of<Id extends CheckId> = Extract<Check, { readonly id: Id }>;

function describeSilence({ verdict, reportAgeMs }: Of<"silent">): CheckText {
  const span = spanText(reportAgeMs / 1_000);
  if (verdict === "ok") {
    return { title: "The agent reports", finding: `The last report came ${span} ago.`, advice: null };
  }
  return {
    title: `No report for ${span}`,
    finding: "The agent should report every hour. What is shown here is as old as the last report.",
    advice:
      "Check that the server is up. Then run `license-desk-agent -v` on it, which says what is wrong, and check its cron job or timer.",
  };
}

function describeAddress({ verdict, seen, bound }: Of<"address">): CheckText {
  if (verdict === "ok") {
    return {
      title: "Reports from its address",
      finding: `Seen from ${seen}, as its licenses are bound.`,
      advice: null,
    };
  }
  return {
    title: `Reports from ${seen}`,
    finding: `Its licenses are bound to ${bound}: seen from another address, they do not verify.`,
    advice: `If the server has moved, change the license's address. If it has several addresses, let it reach us from ${bound}. If you do not recognize ${seen}, someone else may be using the key: suspend the license.`,
  };
}

function describeDisk({ verdict, freeMb }: Of<"disk">): CheckText {
  const free = sizeText(freeMb);
  if (verdict === "ok") return { title: "Enough free disk", finding: `${free} free.`, advice: null };
  return {
    title: `Only ${free} of disk free`,
    finding: "Below 1 GB, updates and databases begin to fail.",
    advice:
      "Remove old logs and backups, or enlarge the disk. To watch a file system other than `/`, set `LICENSE_DESK_DISK`.",
  };
}

function describeClock({ verdict, offsetS }: Of<"clock">): CheckText {
  if (offsetS === null) {
    return {
      title: "Clock not reported",
      finding: "This agent is too old to report its time.",
      advice: "Install the agent again.",
    };
  }
  const span = spanText(Math.abs(offsetS));
  if (verdict === "ok") {
    const near = Math.abs(offsetS) < 2 ? "to the second" : `within ${span}`;
    return { title: "The clock is right", finding: `It agrees with ours ${near}.`, advice: null };
  }
  return {
    title: `The clock is ${span} ${offsetS > 0 ? "fast" : "slow"}`,
    finding: "Past 5 minutes, signed requests are refused; certificates and logs suffer, too.",
    advice: "Turn on time synchronization, or install `chrony`.",
  };
}

function describeName({ hostname, finding, addresses }: Of<"name">): CheckText {
  const correct = "Correct its A record, or set `LICENSE_DESK_HOSTNAME` if the server has another name.";
  switch (finding) {
    case "matches":
      return { title: "The name leads here", finding: `${hostname} has this address.`, advice: null };
    case "elsewhere":
      return {
        title: "The name leads elsewhere",
        finding:
          addresses.length === 0
            ? `${hostname} has no public address like this one.`
            : `${hostname} leads to ${addresses.join(", ")}.`,
        advice: correct,
      };
    case "absent":
      return { title: "The name does not exist", finding: `${hostname} has no address.`, advice: correct };
    case "unanswered":
      return {
        title: "The name could not be looked up",
        finding: `The name servers did not answer for ${hostname} in time.`,
        advice: "Reload the page to try again.",
      };
    case "not_public":
      return {
        title: "The name is not public",
        finding: `${hostname} belongs to a private network and is not looked up.`,
        advice: null,
      };
    case "pending":
      return { title: "Looking up the name", finding: `Asking the name servers for ${hostname}.`, advice: null };
    default:
      return finding satisfies never;
  }
}
