import { createLoader, createParser, createSerializer, parseAsStringLiteral } from "nuqs/server";
import { parseAsText } from "#components/ui/list-params.ts";
import { parseIpv4 } from "#lib/domain/ipv4.ts";
import type { Severity } from "#lib/domain/server-checks.ts";
import { serverProblems } from "./check-text.ts";

const severities: readonly Severity[] = [0, 1, 2];

/** `2-203.0.113.7`: severity, then address. */
const parseAsServerPlace = createParser<{ readonly severity: Severity; readonly address: string }>({
  parse(text) {
    const [level, ip = ""] = text.split("-", 2);
    const severity = severities.find((known) => String(known) === level);
    const address = parseIpv4(ip);
    return severity === undefined || address === null ? null : { severity, address };
  },
  serialize: ({ severity, address }) => `${severity}-${address}`,
});

/** The list of servers in its URL. */
export const serverParams = {
  q: parseAsText(),
  problem: parseAsStringLiteral(serverProblems),
  after: parseAsServerPlace,
  before: parseAsServerPlace,
};

export const loadServerParams = createLoader(serverParams);
export const serverListHref = createSerializer(serverParams);
