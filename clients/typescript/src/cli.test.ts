import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { commands } from "./cli-commands.ts";
import { runCli } from "./cli-run.ts";
import { API_KEY, cutShort, failure, json, pending, registered, serve, silent, success } from "./scripted-server.ts";

interface Invocation {
  readonly env?: Record<string, string>;
  /** Typed at a terminal; without it nobody can answer. */
  readonly typed?: string;
  readonly signal?: AbortSignal;
  /** When Ctrl+C is pressed, from the request on. */
  readonly interruptedAfterMs?: number;
}

/** Runs a command line against a server, or with no environment. */
async function invoke(url: string | null, args: readonly string[], invocation: Invocation = {}) {
  const { typed, signal, interruptedAfterMs } = invocation;
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
  input.end(typed);
  const code = await runCli(args, {
    env: url === null ? {} : { LICENSE_DESK_URL: url, LICENSE_DESK_API_KEY: API_KEY },
    input,
    output,
    errors,
    isTerminal: typed !== undefined,
    ...(signal ? { signal } : {}),
    onInterrupt(listener) {
      const timer = interruptedAfterMs === undefined ? undefined : setTimeout(listener, interruptedAfterMs);
      return () => clearTimeout(timer);
    },
  });
  return { code, stdout: await text(output.end()), stderr: await text(errors.end()) };
}

const data = (value: object) => json(200, { success: true, data: value });
const cycle = {
  cycle_id: 7,
  name: "Monthly",
  months: 1,
  price: 0.1,
  setup_fee: 0.2,
  price_per_core: null,
  currency: "USD",
};
const catalog = data({ products: [{ product_id: 3, name: "Web \u001b[31mServer", type: "web", cycles: [cycle] }] });
const register = ["register", "--product", "3", "--cycle", "7", "--ip", "203.0.113.7"];

test("fields and tables are aligned, and show no control characters", async () => {
  const { baseUrl } = await serve([data({ balance: 85.5, currency: "USD", pending_transactions: 0 }), catalog]);
  const balance = await invoke(baseUrl, ["balance"]);
  expect(balance).toEqual({
    code: 0,
    stdout: "balance               85.5\ncurrency              USD\npending_transactions  0\n",
    stderr: "",
  });
  expect((await invoke(baseUrl, ["products"])).stdout).toBe(
    [
      "PRODUCT  NAME             CYCLE  TERM     PRICE  SETUP  PER CORE",
      "3        Web �[31mServer  7      Monthly  $0.10  $0.20",
      "",
    ].join("\n"),
  );
});

test("--json prints what the API answers, a list one object a line over all pages", async () => {
  const page = (license_id: number, next_cursor: string | null) => data({ licenses: [{ license_id }], next_cursor });
  const { baseUrl, received } = await serve([page(1, "a"), page(2, null)]);
  const { code, stdout } = await invoke(baseUrl, ["list", "--json", "--status", "active", "--expires-within", "30"]);
  expect([code, stdout]).toEqual([0, '{"license_id":1}\n{"license_id":2}\n']);
  expect(received[1]?.target).toBe("/api/v1/?endpoint=license.list&limit=100&status=active&expires_within=30&cursor=a");
});

test("list has an option for each filter of the API", async () => {
  const { baseUrl, received } = await serve([data({ licenses: [], next_cursor: null })]);
  const options = Object.keys(commands.list?.options ?? {}).flatMap((name) => [`--${name}`, "1"]);
  await invoke(baseUrl, ["list", "--json", ...options]);
  const sent = new URL(received[0]?.target ?? "", baseUrl).searchParams.keys();
  const file = join(import.meta.dirname, "../../../public/api/openapi.json");
  const { parameters } = JSON.parse(readFileSync(file, "utf8")).paths["/dispatch/license.list"].get;
  const documented = parameters.map(({ name }: { readonly name: string }) => name);
  expect([...sent, "cursor"].toSorted()).toEqual(["endpoint", ...documented].toSorted());
});

const preview = data({ dry_run: true, price: 0.3, currency: "USD", balance_after: 85.2 });
const renew = ["renew", "12"];

test.each([
  ["register", register, "Register a license on 203.0.113.7 for $0.30, which leaves $85.20? [y/N]"],
  ["renew", renew, "Renew license 12 for $0.30, which leaves $85.20? [y/N]"],
])("on a terminal, %s shows the cost and charges exactly that after a yes", async (_, args, question) => {
  const { baseUrl, received } = await serve([preview, success]);
  const { code, stderr } = await invoke(baseUrl, args, { typed: "y\n" });
  expect(code).toBe(0);
  expect(stderr).toContain(question);
  const [asked, sent] = received.map(({ body }) => JSON.parse(body));
  const { dry_run, ...request } = asked;
  expect(dry_run).toBe(true);
  expect(sent).toEqual({ ...request, expected_price: 0.3 });
});

test.each(["n\n", "\n", ""])("an answer of %j changes nothing", async (typed) => {
  const { baseUrl, received } = await serve([preview, success]);
  const { code, stderr } = await invoke(baseUrl, register, { typed });
  expect([code, received.length]).toEqual([1, 1]);
  expect(stderr).toContain("Nothing was changed.");
});

test.each([
  ["with --yes", [...register, "--yes"], { typed: "" }],
  ["without a terminal", register, {}],
])("%s, register asks nothing", async (_, args, invocation) => {
  const { baseUrl, received } = await serve([success]);
  const { code, stdout } = await invoke(baseUrl, [...args, "--json"], invocation);
  expect([code, JSON.parse(stdout), received.length]).toEqual([0, registered, 1]);
});

test("an outcome that stays open is exit code 4, with the operation", async () => {
  const { baseUrl } = await serve([pending]);
  const { code, stdout } = await invoke(baseUrl, [...register, "--wait", "1", "--json"]);
  expect([code, JSON.parse(stdout)]).toMatchObject([4, { status: "pending", operation_id: "o" }]);
});

test("an outcome that settles meanwhile is done", async () => {
  const { baseUrl } = await serve([pending, success]);
  expect(await invoke(baseUrl, ["renew", "lic_12", "--json"])).toMatchObject({
    code: 0,
    stdout: `${JSON.stringify(registered)}\n`,
  });
});

test("a license that is not valid is exit code 1", async () => {
  const { baseUrl } = await serve([
    json(200, { valid: false, code: "EXPIRED" }),
    json(200, { valid: true, code: "VALID" }),
  ]);
  expect((await invoke(baseUrl, ["verify", "LIC-1"])).code).toBe(1);
  expect((await invoke(baseUrl, ["verify", "LIC-1"])).code).toBe(0);
});

test("a rejection names its code, its fields and the request", async () => {
  const { baseUrl } = await serve([failure(400, "INVALID_IP_ADDRESS", { "x-request-id": "req_1" })]);
  expect(await invoke(baseUrl, register)).toEqual({
    code: 1,
    stdout: "",
    stderr: "license-desk: INVALID_IP_ADDRESS.\n  field    why\n  code     INVALID_IP_ADDRESS\n  request  req_1\n",
  });
});

test("a rejection shows no control characters: its message may be a provider's", async () => {
  const details = { field: "\u001b]0;title\u0007" };
  const { baseUrl } = await serve([
    json(400, { error: true, code: "A\u001bB", message: "\u001b[2Jgone\nnow", details }),
  ]);
  const { stderr } = await invoke(baseUrl, ["balance"]);
  expect(stderr).toBe("license-desk: \ufffd[2Jgone\ufffdnow\n  field  \ufffd]0;title\ufffd\n  code   A\ufffdB\n");
});

test.each([
  ["without an answer", cutShort],
  ["after a server error", failure(500, "SERVER_ERROR")],
  ["while its first request is running", failure(409, "IDEMPOTENCY_IN_PROGRESS")],
])(
  "%s, a change says how to continue, which sends the same request",
  {
    timeout: 30_000,
  },
  async (_, reply) => {
    const { baseUrl, received } = await serve([preview, reply]);
    const { code, stderr } = await invoke(baseUrl, register, { typed: "y\n" });
    expect(code).toBe(3);
    const [, added = ""] = /To continue, add: (.+)/.exec(stderr) ?? [];
    expect(added).toBe(`--yes --expected-price 0.3 --idempotency-key ${received[1]?.headers["idempotency-key"]}`);
    const later = await serve([success]);
    expect((await invoke(later.baseUrl, [...register, ...added.split(" ")], { typed: "" })).code).toBe(0);
    const sent = ({ headers, body }: (typeof received)[number] = { target: "", headers: {}, body: "" }) => [
      headers["idempotency-key"],
      JSON.parse(body),
    ];
    expect(sent(later.received[0])).toEqual(sent(received[1]));
  },
);

test.each([
  [[], "A command is missing."],
  [["constructor"], "There is no command constructor."],
  [["register", "--product", "3"], "--cycle is missing."],
  [["info"], "Usage: license-desk info <license id> [options]"],
  [["info", "web1"], "The license id is not a number: web1"],
  [["balance", "--colour"], "--colour"],
  [[...register, "--expected-price", "cheap"], "--expected-price is not an amount: cheap"],
  [["balance", "--url", "no url"], "Set LICENSE_DESK_URL or --url."],
  [["balance", "--key", ""], "Set LICENSE_DESK_API_KEY or --key."],
])("%j is a usage error", async (args, message) => {
  const { code, stdout, stderr } = await invoke("http://127.0.0.1:9", args);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
});

test("--help needs no key and names every command and option", async () => {
  const general = await invoke(null, ["--help"]);
  expect(general.code).toBe(0);
  for (const command of ["register", "renew <license id>", "list", "events tail"]) {
    expect(general.stdout).toContain(`\n  ${command} `);
  }
  expect((await invoke(null, ["register", "-h"])).stdout).toMatch(/--product <id> .*\(required\)/);
  expect((await invoke(null, ["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("the key is in no output", { timeout: 30_000 }, async () => {
  const { baseUrl } = await serve([failure(401, "INVALID_API_KEY")]);
  const outputs = [
    await invoke(baseUrl, ["balance"]),
    await invoke(null, ["balance", "--url", baseUrl, "--key", API_KEY]),
    await invoke(null, ["balance", "--key", API_KEY]),
    await invoke(baseUrl, ["balance", "--key", API_KEY, "--help"]),
  ];
  expect(outputs.map(({ code }) => code)).toEqual([1, 1, 2, 0]);
  expect(JSON.stringify(outputs)).not.toContain(API_KEY);
});

test("events tail shows the last events in order, then new ones once each", { timeout: 20_000 }, async () => {
  const event = (id: number) => ({
    id: `evt_${id}`,
    event: "license.renewed",
    timestamp: `2027-02-01T12:00:0${id}Z`,
    license_id: "lic_1",
    data: { license_id: "lic_1", server: "web1" },
  });
  const page = (...ids: number[]) => json(200, { events: ids.map(event), next_cursor: null });
  const { baseUrl, received } = await serve([page(3, 2, 1), page(5, 3, 4, 2, 1)]);
  const controller = new AbortController();
  const tail = invoke(baseUrl, ["events", "tail", "--lines", "2", "--kind", "license.renewed"], {
    signal: controller.signal,
  });
  await expect.poll(() => received.length, { timeout: 10_000 }).toBe(3);
  controller.abort();
  const { code, stdout } = await tail;
  expect(code).toBe(0);
  expect(received[0]?.target).toBe("/api/v1/events?kind=license.renewed&limit=100");
  expect(stdout.match(/0\dZ/g)).toEqual(["02Z", "03Z", "04Z", "05Z"]);
  expect(stdout).toContain('license.renewed  lic_1    {"server":"web1"}\n');
});

test.each([
  ["before the answer", silent, ""],
  [
    "while waiting for the outcome",
    pending,
    "The provider has not confirmed this yet. Waiting for up to 30 seconds.\n",
  ],
])("Ctrl+C %s says how to continue without charging twice", async (_, reply, stderr) => {
  const { baseUrl, received } = await serve([reply]);
  const args = [...register, "--expected-price", "14.5"];
  const interrupted = await invoke(baseUrl, args, { interruptedAfterMs: 150 });
  const key = received[0]?.headers["idempotency-key"];
  expect(key).toMatch(/^[\w-]{36}$/);
  const advice = `To continue, add: --yes --expected-price 14.5 --idempotency-key ${key}\n`;
  expect(interrupted).toEqual({ code: 4, stdout: "", stderr: `${stderr}The change may have happened. ${advice}` });
});
