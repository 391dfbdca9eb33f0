import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findFreePort } from "#lib/embedded/free-port.ts";
import { getRuntime } from "#lib/runtime.ts";
import { verifyWallets } from "#lib/services/wallet/verify.ts";
import { callPhp, missingPhp, runPhp } from "../support/php.ts";
import { expect, test } from "../support/test.ts";
import { type Reseller, reconcile, systemContext } from "../support/world.ts";

const root = join(import.meta.dirname, "..", "..");
const OPERATION_ID = /^[0-9a-f-]{36}$/;

test.beforeEach(async () => {
  const missing = await missingPhp();
  test.skip(missing !== null, String(missing));
});

/** The README's examples, in order. */
function readExamples(): { readonly calls: readonly string[]; readonly receiver: string } {
  const page = readFileSync(join(root, "clients", "php", "README.md"), "utf8");
  const examples = [...page.matchAll(/^```php\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  const isReceiver = (code: string) => code.includes("webhook.php");
  return {
    calls: examples.filter((code) => !isReceiver(code)),
    receiver: examples.find(isReceiver) ?? "",
  };
}

function writeScript(name: string, code: string): string {
  const script = test.info().outputPath(name);
  writeFileSync(script, `<?php\nchdir(${JSON.stringify(root)});\n${code}`);
  return script;
}

async function order(reseller: Reseller, more: object = {}) {
  const { product_id, cycle_id } = await reseller.newProduct();
  return { product_id, cycle_id, ip_address: reseller.newAddress(), ...more };
}

const readDocument = () => JSON.parse(readFileSync(join(root, "public", "api", "openapi.json"), "utf8"));
const readClient = async () => JSON.parse(await runPhp(join(import.meta.dirname, "php", "operations.php")));

const registrations = ({ resellerId }: Reseller) => getRuntime().db.prisma.license.count({ where: { resellerId } });

/** Reconciles the reseller's next pending operation. */
async function settleNext({ resellerId }: Reseller): Promise<void> {
  const where = { resellerId, state: "unknown" } as const;
  await expect.poll(() => getRuntime().db.prisma.operation.count({ where })).toBe(1);
  const { id } = await getRuntime().db.prisma.operation.findFirstOrThrow({ where });
  await reconcile(id);
}

test("the README's examples run, and the first one is a call within ten lines", async ({ reseller }) => {
  const { product_id, cycle_id, name } = await reseller.newProduct();
  const { calls } = readExamples();
  expect(calls[0]?.trim().split("\n").length).toBeLessThan(10);
  const code = calls
    .join("\n")
    .replaceAll("https://licenses.example", reseller.baseUrl)
    .replaceAll("'product_id' => 1, 'cycle_id' => 1", `'product_id' => ${product_id}, 'cycle_id' => ${cycle_id}`);
  const script = writeScript("readme.php", code);
  const [output] = await Promise.all([runPhp(script, { LICENSE_DESK_API_KEY: reseller.apiKey }), settleNext(reseller)]);
  expect(output).toMatch(/^Registered LIC-\S+ for 10 USD\.$/m);
  expect(output).toContain(`${name}, Monthly: 10 USD\n`);
  expect(output).toContain("Balance: 990\n");
  expect(output).toContain("It would cost 10 USD.\n");
  expect(output).toMatch(/^lic_\d+ on 203\.0\.113\.7 expires on \d{4}-\d\d-\d\d$/m);
  expect(output).toContain("bool(true)");
  expect(output).toMatch(/^Registered LIC-\S+\.$/m);
  expect(output).toContain("license.register is succeeded.\n");
  expect(output).toContain("It costs 10 now.\n");
  expect(await registrations(reseller)).toBe(3);
  const { differences } = await verifyWallets(systemContext());
  expect(differences.filter(({ resellerId }) => resellerId === reseller.resellerId)).toEqual([]);
});

test("a method requests every operation of the OpenAPI document; what takes a key and which amounts are money is known", async () => {
  const document = readDocument();
  const documented: [string, string][] = [];
  const takeKey: string[] = [];
  type Operation = { readonly operationId: string; readonly parameters?: readonly { readonly $ref?: string }[] };
  for (const [path, methods] of Object.entries<Record<string, Operation>>(document.paths)) {
    // `/` stands for every address below /dispatch.
    if (path === "/") continue;
    for (const [method, { operationId, parameters = [] }] of Object.entries(methods)) {
      const request = `${method.toUpperCase()} ${path}`;
      documented.push([operationId, request]);
      if (parameters.some(({ $ref }) => $ref === "#/components/parameters/IdempotencyKey")) takeKey.push(request);
    }
  }
  const known = await readClient();
  expect(documented.length).toBeGreaterThan(30);
  expect(known.operations).toEqual(Object.fromEntries(documented));
  expect(known.takeKey.toSorted()).toEqual(takeKey.toSorted());
  expect(known.requested.toSorted()).toEqual(documented.map(([, request]) => request).toSorted());

  const amounts = new Set<string>();
  JSON.stringify(document, (name, value) => {
    const types = [value?.type, ...(value?.anyOf ?? []).map((one: { type: unknown }) => one.type)].flat();
    if (types.includes("number") && !/^(additionalProperties|items|\d+|expected_price|)$/.test(name)) amounts.add(name);
    return value;
  });
  // Amounts in `details` (contract 3.15).
  expect(known.money).toEqual([...amounts, "missing"].toSorted());
});

test("a method declares the parameters of its operation, and which are required", async () => {
  const { paths } = readDocument();
  const { declared } = await readClient();
  expect(Object.keys(declared).length).toBeGreaterThan(20);
  for (const [request, parameters] of Object.entries<Record<string, boolean>>(declared)) {
    const [method = "", path = ""] = request.split(" ");
    const { parameters: inQuery = [], requestBody } = paths[path][method.toLowerCase()];
    const { properties = {}, required = [] } = requestBody?.content["application/json"].schema ?? {};
    const documented: Record<string, boolean> = {};
    for (const one of inQuery) if (one.in === "query") documented[one.name] = one.required === true;
    for (const name of Object.keys(properties)) documented[name] = required.includes(name);
    // Lists read page by page.
    delete documented.cursor;
    expect({ request, ...parameters }).toEqual({ request, ...documented });
  }
});

test("the README names every method", async () => {
  const readme = readFileSync(join(root, "clients", "php", "README.md"), "utf8");
  const { methods } = await readClient();
  for (const [group, names] of Object.entries<string[]>(methods)) {
    const row = readme.split("\n").find((line) => line.startsWith(`| \`$desk${group}\``)) ?? "";
    expect(names.filter((name) => !row.includes(`\`${name}\``))).toEqual([]);
  }
});

test("tags are given as a list, and an empty list removes them", async ({ reseller }) => {
  const { license_id } = await reseller.newLicense();
  const set = (tags: readonly string[]) => ({ on: "licenses", do: "setLabels", args: [{ license_id, tags }] });
  const info = { on: "licenses", do: "info", args: [{ license_id }] };
  const [, tagged, , untagged] = await callPhp(reseller, [set(["eu", "vip"]), info, set([]), info]);
  expect(tagged?.value).toMatchObject({ data: { tags: ["eu", "vip"] } });
  expect(untagged?.value).not.toHaveProperty("data.tags");
});

test("a pending change is awaited: it succeeds, is rejected, or is still unknown", async ({ reseller }) => {
  const register = async (ip_address: string) => [
    { on: "licenses", do: "register", args: [await order(reseller, { ip_address })] },
    { on: 0, do: "settled", args: [20] },
  ];
  const [[pending, settled]] = await Promise.all([
    callPhp(reseller, await register("192.0.2.20")),
    settleNext(reseller),
  ]);
  expect(pending?.value).toMatchObject({
    status: 202,
    pending: true,
    operationId: expect.stringMatching(OPERATION_ID),
  });
  expect(settled?.value.data).toEqual(pending?.value.data);

  const [[, rejected]] = await Promise.all([callPhp(reseller, await register("192.0.2.21")), settleNext(reseller)]);
  expect(rejected?.failure).toMatchObject({
    class: "LicenseDesk\\OperationRejectedException",
    operation: { operation: "license.register", status: "rejected", price: "10" },
  });

  const [first] = await register("192.0.2.40");
  const [open, unknown] = await callPhp(reseller, [first ?? { on: "", do: "" }, { on: 0, do: "settled", args: [0] }]);
  expect(unknown?.failure).toEqual({
    class: "LicenseDesk\\OperationPendingException",
    message: `The outcome of operation ${open?.value.operationId} is still unknown.`,
    operationId: open?.value.operationId,
  });
});

test("a rejected request is an exception with code, status, details and request id", async ({ newReseller }) => {
  const reseller = await newReseller({ funds: "4.5" });
  const [outcome] = await callPhp(reseller, [{ on: "licenses", do: "register", args: [await order(reseller)] }]);
  expect(outcome?.failure).toEqual({
    class: "LicenseDesk\\ApiException",
    message: expect.stringContaining("Top up"),
    status: 400,
    code: "INSUFFICIENT_BALANCE",
    details: { price: "10", missing: "5.5", currency: "USD" },
    requestId: expect.stringMatching(/^req_/),
    retryAfter: null,
    idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
    isUnclear: false,
  });

  const { apiKey } = await reseller.newKey({ rateLimit: 1 });
  const balance = { on: "", do: "balance" };
  const [, limited] = await callPhp({ ...reseller, apiKey }, [balance, balance], { longestWaitSeconds: 0 });
  expect(limited?.failure).toMatchObject({ status: 429, code: "RATE_LIMITED", idempotencyKey: null, isUnclear: false });
  expect(limited?.failure.retryAfter).toBeGreaterThan(0);
});

test("Retry-After is seconds or a date of any form that RFC 9110 has, from 0 to a day; anything else is ignored", async () => {
  const inTwoHours = new Date(Date.now() + 7_200_000).toUTCString();
  const [weekday = "", day = "", month = "", year = "", time = ""] = inTwoHours.split(/,? /);
  const longWeekday = new Date(inTwoHours).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
  const near = [
    inTwoHours,
    `${longWeekday}, ${day}-${month}-${year.slice(2)} ${time} GMT`,
    `${weekday} ${month} ${day.replace(/^0/, " ")} ${time} ${year}`,
  ];
  const past = ["0", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"];
  const years = ["31536000", "9".repeat(400), "Fri, 31 Dec 9999 23:59:59 GMT"];
  const nonsense = ["-5", "+5", "1.5", "1e3", "5 seconds", "soon", "", "2099-02-01", "Sun, 01 Foo 2026 12:00:30 GMT"];
  const code = `require "clients/php/autoload.php";
    echo json_encode(array_map([LicenseDesk\\RetryAfter::class, "parse"], json_decode($argv[1])));`;
  for (const zone of ["UTC", "America/New_York"]) {
    const parse = async (values: readonly string[]): Promise<unknown[]> =>
      JSON.parse(await runPhp(["-d", `date.timezone=${zone}`, "-r", code, JSON.stringify(values)]));
    for (const seconds of await parse(near)) {
      expect(seconds).toBeGreaterThan(7_100);
      expect(seconds).toBeLessThanOrEqual(7_200);
    }
    expect(await parse(["7", "007", "86400"])).toEqual([7, 7, 86_400]);
    expect(await parse(past)).toEqual(past.map(() => 0));
    expect(await parse(years)).toEqual(years.map(() => 86_400));
    expect(await parse(nonsense)).toEqual(nonsense.map(() => null));
  }
});

test("two processes that register under one key get one license", async ({ reseller }) => {
  const args = { parameters: await order(reseller, { ip_address: "192.0.2.30" }), idempotencyKey: "order-1004" };
  const register = () => callPhp(reseller, [{ on: "licenses", do: "register", args }]);
  const [[first], [second]] = await Promise.all([register(), register()]);
  expect(first?.value.data.license_id).toBe(second?.value.data.license_id);
  expect(await registrations(reseller)).toBe(1);
});

test("lists are read page by page, each item once", async ({ reseller }) => {
  for (let count = 0; count < 5; count += 1) await reseller.newLicense();
  const [licenses, events] = await callPhp(reseller, [
    { on: "licenses", do: "list", args: [{ limit: 2 }] },
    { on: "events", do: "list", args: [{ limit: 2, kind: "license.activated" }] },
  ]);
  expect(new Set(licenses?.value.map(({ id }: { id: string }) => id)).size).toBe(5);
  expect(events?.value.length).toBe(5);
  expect(events?.value[0].data.license_id).toBe(licenses?.value[4].id);
});

test.describe("webhooks", () => {
  let receiver: ChildProcess | null = null;
  test.afterEach(() => void receiver?.kill());

  test("the README's receiver consents, accepts genuine events, also during a rotation, and rejects forged ones", async ({
    reseller,
  }) => {
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}/`;
    const [created] = await callPhp(reseller, [{ on: "webhookEndpoints", do: "create", args: [{ url }] }]);
    const id: string = created?.value.data.id;
    const script = writeScript("webhook.php", readExamples().receiver.replace("'events.log'", "getenv('LOG')"));
    const log = join(dirname(script), "events.log");
    writeFileSync(log, "");
    const env = { ...process.env, WEBHOOK_SECRET: created?.value.data.secret, LOG: log };
    receiver = spawn("php", ["-n", "-S", `127.0.0.1:${port}`, script], { stdio: ["ignore", "ignore", "pipe"], env });
    await once(receiver.stderr ?? receiver, "data");

    await callPhp(reseller, [{ on: "webhookEndpoints", do: "verify", args: [id] }]);
    const statusOf = async () =>
      (await callPhp(reseller, [{ on: "webhookEndpoints", do: "get", args: [id] }]))[0]?.value.data.status;
    await expect.poll(statusOf).toBe("active");

    const [, sent] = await callPhp(reseller, [
      // From now on both secrets sign.
      { on: "webhookEndpoints", do: "rotateSecret", args: [id] },
      { on: "webhookEndpoints", do: "test", args: [id, "license.renewed"] },
    ]);
    const genuine = `${sent?.value.data.event_id} license.renewed\n`;
    await expect.poll(() => readFileSync(log, "utf8")).toBe(genuine);

    const body = JSON.stringify({ event: "license.renewed", timestamp: "2027-02-01T12:00:00Z", data: {} });
    const now = Math.floor(Date.now() / 1000);
    const post = async (timestamp: number, sign: (signature: string) => string) => {
      const key = Buffer.from(String(created?.value.data.secret).replace("whsec_", ""), "base64");
      const signature = `v1,${createHmac("sha256", key).update(`evt_1.${timestamp}.${body}`).digest("base64")}`;
      const headers = { "webhook-id": "evt_1", "webhook-timestamp": String(timestamp) };
      return (await fetch(url, { method: "POST", headers: { ...headers, "webhook-signature": sign(signature) }, body }))
        .status;
    };
    const other = `v1,${Buffer.alloc(32).toString("base64")}`;
    expect(await post(now, () => `${other} v1,`)).toBe(400);
    expect(await post(now - 310, (signature) => signature)).toBe(400);
    expect(await post(now + 310, (signature) => signature)).toBe(400);
    expect((await fetch(url, { method: "POST", body })).status).toBe(400);
    expect(readFileSync(log, "utf8")).toBe(genuine);
    expect(await post(now - 290, (signature) => `${signature} ${other}`)).toBe(200);
    expect(await post(now, (signature) => `${other} ${signature}`)).toBe(200);
    expect(readFileSync(log, "utf8")).toBe(`${genuine}evt_1 license.renewed\nevt_1 license.renewed\n`);
  });
});
