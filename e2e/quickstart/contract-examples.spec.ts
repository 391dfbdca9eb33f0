import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { getRuntime } from "#lib/runtime.ts";
import { blocksOf, readSections } from "#tests/support/contract-documents.ts";
import { startReceiver } from "#tests/support/receiver.ts";
import { consent } from "../support/consent.ts";
import { expect, test } from "../support/test.ts";
import { newEndpoint, untilAttempted } from "../support/webhooks.ts";
import type { Reseller } from "../support/world.ts";

const run = promisify(execFile);

/** Creates what the example needs. Returns own ids, keys and addresses by the printed ones. */
type Prepare = (reseller: Reseller) => Promise<Readonly<Record<string, string | number>>>;

const OPERATION_ID = "0b6f7b0e-6d1c-4f6a-9a55-3c1d2f1b7c11";

const nothing: Prepare = async () => ({});

const product: Prepare = async (reseller) => {
  const { product_id, cycle_id } = await reseller.newProduct({ pricePerCore: 650n });
  return {
    "product_id=1": `product_id=${product_id}`,
    "cycle_id=1": `cycle_id=${cycle_id}`,
    "203.0.113.7": reseller.newAddress(),
  };
};

const license: Prepare = async (reseller) => {
  const ip = reseller.newAddress();
  const { license_id, license_key } = await reseller.newLicense({ ip, product: { pricePerCore: 650n } });
  return {
    "license_id=12": `license_id=${license_id}`,
    lic_12: `lic_${license_id}`,
    "LIC-AN7X6-1SCXJ-P6RB7-C93C7": license_key,
    "203.0.113.7": ip,
    "203.0.113.8": reseller.newAddress(),
  };
};

const licenseAfter =
  (endpoint: string): Prepare =>
  async (reseller) => {
    const { license_id } = await reseller.newLicense();
    await reseller.dispatch.post(endpoint, { license_id });
    return { "license_id=12": `license_id=${license_id}` };
  };

const ordered: Prepare = async (reseller) => {
  const { product_id, cycle_id } = await reseller.newProduct();
  const ip_address = reseller.newAddress();
  await reseller.dispatch.post("license.register", { product_id, cycle_id, ip_address, external_id: "order-1004" });
  return {};
};

const bundleOnSale: Prepare = async (reseller) => {
  const { bundle_id, cycle_id } = await reseller.newBundle([{}]);
  return {
    "bundle_id=1": `bundle_id=${bundle_id}`,
    "cycle_id=16": `cycle_id=${cycle_id}`,
    "203.0.113.9": reseller.newAddress(),
  };
};

const bundle: Prepare = async (reseller) => {
  const { bundle_id, cycle_id } = await reseller.newBundle([{}]);
  const ip_address = reseller.newAddress();
  const { body } = await reseller.dispatch.post("bundle.register", { bundle_id, cycle_id, ip_address });
  return {
    "bundle_instance_id=3": `bundle_instance_id=${body.data.bundle_instance_id}`,
    "203.0.113.10": reseller.newAddress(),
  };
};

const pendingOperation: Prepare = async (reseller) => {
  const { operation_id } = await reseller.newLicense({ ip: "192.0.2.20" });
  return { [OPERATION_ID]: operation_id };
};

const settledRenewal: Prepare = async (reseller) => {
  await licenseAfter("license.renew")(reseller);
  const where = { resellerId: reseller.resellerId, kind: "license_renew" } as const;
  const { id } = await getRuntime().db.prisma.operation.findFirstOrThrow({ where });
  return { [OPERATION_ID]: id };
};

const reported: Prepare = async (reseller) => {
  const { license_key } = await reseller.newLicense();
  const host = { os: "Debian", kernel: "6.1", cpu_cores: 8, memory: "16GB", disk_free: "120GB", uptime: "12 days" };
  await reseller.path.post("/diagnostics", { license_key, hostname: "web1.example.com", ...host });
  return {};
};

const pendingEndpoint = async (reseller: Reseller) => {
  const { body } = await reseller.path.post("/webhook-endpoints", { url: "https://hooks.example/desk" });
  return { whe_12: String(body.id) };
};

const endpoint: Prepare = async (reseller) => {
  const made = await pendingEndpoint(reseller);
  await consent(made.whe_12);
  return made;
};

const delivered: Prepare = async (reseller) => {
  const receiver = await startReceiver();
  const { id } = await newEndpoint(reseller, receiver);
  await reseller.newLicense();
  await untilAttempted(id, 1);
  await receiver.close();
  return { "evt_1b4e28ba-2fa1-41d2-883f-0016d3cca427": String(receiver.received[0]?.headers["webhook-id"]) };
};

/** By title of the operation's section. */
const preparations: Readonly<Record<string, Prepare>> = {
  "license.register": product,
  "license.renew": license,
  "license.change_ip": license,
  "license.change_core": license,
  "license.suspend": license,
  "license.unsuspend": licenseAfter("license.suspend"),
  "license.terminate": license,
  "license.set_auto_renew": license,
  "license.set_labels": license,
  "license.info": license,
  "license.list": ordered,
  "bundle.register": bundleOnSale,
  "bundle.renew": bundle,
  "bundle.change_ip": bundle,
  "bundle.info": bundle,
  "operation.info": pendingOperation,
  me: nothing,
  balance: nothing,
  products: product,
  bundles: bundleOnSale,
  "GET /license/status": license,
  "POST /license/verify": license,
  "POST /license/update": license,
  "POST /license/auto-renew": license,
  "POST /license/terminate": license,
  "GET /licenses": ordered,
  "GET /diagnostics": reported,
  "POST /diagnostics": license,
  "GET /operations/{id}": settledRenewal,
  "GET /me": nothing,
  "GET /webhook-endpoints": endpoint,
  "POST /webhook-endpoints": nothing,
  "GET /webhook-endpoints/{id}": endpoint,
  "PATCH /webhook-endpoints/{id}": endpoint,
  "DELETE /webhook-endpoints/{id}": endpoint,
  "POST /webhook-endpoints/{id}/rotate-secret": endpoint,
  "POST /webhook-endpoints/{id}/verify": pendingEndpoint,
  "POST /webhook-endpoints/{id}/test": endpoint,
  "GET /events": licenseAfter("license.renew"),
  "GET /events/{id}": delivered,
  "POST /events/{id}/resend": delivered,
};

const examples = (["dispatch-interface", "path-interface"] as const).flatMap((page) => {
  const sections = readSections(page);
  const [, basePath = ""] = /`BASE=https:\/\/licenses\.example(\S*)`/.exec(sections[0]?.text ?? "") ?? [];
  return sections.flatMap((section) =>
    blocksOf(section, "sh").map((command, at) => ({
      title: section.title,
      basePath,
      command,
      status: /(?<=\. )20[12](?=\.)/.exec(section.text)?.[0] ?? "200",
      answer: JSON.parse(blocksOf(section, "json")[at] ?? "null"),
    })),
  );
});

const FIXED =
  /^(?:success|message|status|code|valid|deleted|event|reason|provider_status|new_cores|customer_name|tags)$/;

/** Paths of all fields, with the values that are equal for every caller. */
function fieldsIn(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => fieldsIn(item, `${path}[]`));
  if (typeof value !== "object" || value === null) return [];
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const at = `${path}.${name}`;
    return [FIXED.test(name) ? `${at}: ${JSON.stringify(field)}` : at, ...fieldsIn(field, at)];
  });
  return [...new Set(fields)].toSorted();
}

test("every operation's example is prepared here, and no other", () => {
  expect(examples.map(({ title }) => title)).toEqual(Object.keys(preparations));
});

for (const { title, basePath, command, status, answer } of examples) {
  test(`${title}: the example request, sent as printed, is answered as printed`, async ({ reseller }, info) => {
    const prepare = preparations[title];
    if (!prepare) throw new Error(`Add what the example of ${title} needs to preparations.`);
    const replacements = Object.entries(await prepare(reseller));
    const request = replacements.reduce((text, [printed, own]) => text.replaceAll(printed, `${own}`), command);
    writeFileSync(info.outputPath(".curlrc"), 'silent\nshow-error\nwrite-out = "%{stderr}%{http_code}"\n');
    const env = { ...process.env, CURL_HOME: info.outputDir, BASE: reseller.baseUrl + basePath, KEY: reseller.apiKey };
    const { stdout, stderr } = await run("bash", ["-c", request], { env });
    expect(stderr, stdout).toBe(status);
    expect(fieldsIn(JSON.parse(stdout))).toEqual(fieldsIn(answer));
  });
}
