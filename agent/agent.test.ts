import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listProductOffers } from "#lib/db/catalog/offer.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import { seedCatalog } from "#lib/seed/catalog.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { unsuspendLicense } from "#lib/services/license/unsuspend.ts";
import { actors } from "#tests/support/actors.ts";
import { type Account, type Desk, newDesk } from "#tests/support/desk.ts";
import { findCommand, findOrInstallCommand } from "../scripts/shells.ts";

const AGENT = join(import.meta.dirname, "agent.sh");
const APPLETS = ["awk", "cat", "date", "df", "hostname", "id", "ls", "mktemp", "rm", "timeout", "uname"];
const TIMEOUT_MS = 60_000;

/** Nothing but what is listed: the agent must not need anything else. */
const hosts = [
  { name: "dash with curl", shell: "dash", client: "curl", appletsOf: null },
  { name: "dash with GNU wget", shell: "dash", client: "wget", appletsOf: null },
  { name: "BusyBox alone", shell: "busybox", client: "wget", appletsOf: "busybox" },
] as const;
type Host = (typeof hosts)[number];

interface Run {
  readonly exitCode: number | null;
  readonly output: string;
}

const servers: Server[] = [];
let folder: string;
let desk: Desk;
let account: Account;
let bound: { licenseId: number; licenseKey: string };
let elsewhere: { licenseId: number; licenseKey: string };

const ownerContext = () => ({ ...desk.operator(), actor: actors.apiKey(account.resellerId) });

async function register(type: string, ipAddress: string) {
  const offer = (await listProductOffers(desk.db, account.resellerId)).find((product) => product.type === type);
  const cycleId = offer?.cycles[0]?.cycleId;
  if (!offer || cycleId === undefined) throw new Error(`no ${type}`);
  return registerLicense(ownerContext(), {
    productId: offer.productId,
    cycleId,
    ipAddress: ipAddress as LicenseAddress,
  });
}

/** A folder with the commands of a host; null: one of them cannot be had here. */
function commandsOf({ name, shell, client, appletsOf }: Host): string | null {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  if (readdirSync(path).length > 0) return path;
  for (const command of [...APPLETS, client, "sh"]) {
    const target = findOrInstallCommand(appletsOf ?? (command === "sh" ? shell : command));
    if (target === null) return null;
    symlinkSync(target, join(path, command));
  }
  return path;
}

function runAgent(path: string, settings: Record<string, string>, args: readonly string[] = []): Promise<Run> {
  const child = spawn(join(path, "sh"), [AGENT, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: path, TMPDIR: join(folder, "tmp"), ...settings } as unknown as NodeJS.ProcessEnv,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  return new Promise((resolve) => child.once("close", (exitCode) => resolve({ exitCode, output })));
}

const settingsOf = (change: Record<string, string> = {}) => ({
  LICENSE_DESK_URL: desk.baseUrl.replace("/api/v1/", ""),
  LICENSE_DESK_API_KEY: account.apiKey,
  LICENSE_DESK_LICENSE_KEY: bound.licenseKey,
  LICENSE_DESK_HOSTNAME: "agent.example.com",
  LICENSE_DESK_ALLOW_BUSYBOX: "1",
  ...change,
});

/** A server that begins every answer as License Desk does. */
async function serve(goOn: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    goOn(response.writeHead(200, { "content-type": "application/json" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "license-desk-agent-"));
  mkdirSync(join(folder, "tmp"));
  desk = await newDesk({ timeoutMs: 1_000 });
  await seedCatalog(desk.db);
  account = await desk.account({ scopes: ["licenses:verify", "diagnostics:write"] });
  bound = await register("web_server", "127.0.0.1");
  elsewhere = await register("web_server", "198.18.0.7");
  await desk.start();
}, TIMEOUT_MS);

afterAll(async () => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
  await desk?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(hosts)("$name", (host) => {
  const testOnHost = (what: string, run: (path: string) => Promise<void>) =>
    test(what, { timeout: TIMEOUT_MS }, async ({ skip }) => {
      const path = commandsOf(host);
      if (path === null) return skip(`${host.name}: its commands are not installed, and cannot be`);
      await run(path);
    });

  testOnHost("verifies and reports quietly, and leaves nothing behind", async (path) => {
    await desk.db.prisma.diagnosticsReport.deleteMany();
    expect(await runAgent(path, settingsOf())).toEqual({ exitCode: 0, output: "" });
    const reports = await desk.db.prisma.diagnosticsReport.findMany();
    expect(reports).toEqual([
      expect.objectContaining({
        licenseId: bound.licenseId,
        hostname: "agent.example.com",
        os: expect.stringMatching(/^[A-Z].+/),
        kernel: expect.stringMatching(/^\d+\.\d+/),
        memory: expect.stringMatching(/^[1-9]\d*(MB|GB)$/),
        diskFree: expect.stringMatching(/^\d+(MB|GB)$/),
        uptime: expect.stringMatching(/^\d+ (days|hours)$/),
        sourceAddress: "127.0.0.1",
        addressMatches: true,
        clockOffsetS: expect.any(Number),
      }),
    ]);
    expect(reports[0]?.cpuCores).toBeGreaterThan(0);
    expect(readdirSync(join(folder, "tmp"))).toEqual([]);
  });

  testOnHost("exit code 1, and why, for a license that is not valid here", async (path) => {
    const { exitCode, output } = await runAgent(path, settingsOf({ LICENSE_DESK_LICENSE_KEY: elsewhere.licenseKey }));
    expect(exitCode).toBe(1);
    expect(output).toContain("not valid: IP_MISMATCH");
    await suspendLicense(ownerContext(), { licenseId: bound.licenseId });
    const suspended = await runAgent(path, settingsOf(), ["verify"]);
    expect([suspended.exitCode, suspended.output]).toEqual([1, expect.stringContaining("not valid: SUSPENDED")]);
    await unsuspendLicense(ownerContext(), { licenseId: bound.licenseId });
  });

  testOnHost("of several licenses, one that is not valid decides", async (path) => {
    const both = `${bound.licenseKey} ${elsewhere.licenseKey}`;
    const { exitCode, output } = await runAgent(path, settingsOf({ LICENSE_DESK_LICENSE_KEY: both }), ["-v", "verify"]);
    expect(exitCode).toBe(1);
    expect(output).toMatch(/valid until \d{4}-\d\d-\d\d\n.*not valid: IP_MISMATCH/);
  });

  testOnHost("exit code 3 for a refusal: a key that is none", async (path) => {
    const { exitCode, output } = await runAgent(path, settingsOf({ LICENSE_DESK_API_KEY: "ld_none" }));
    expect(exitCode).toBe(3);
    expect(output).toContain("refused (HTTP 401");
    expect(output).not.toContain("ld_none");
  });

  testOnHost("exit code 3 for a host name that is none: it is not changed into another one", async (path) => {
    for (const name of ["münchen.example.com", 'web"1.example.com', "web_1.example.com"]) {
      const { exitCode, output } = await runAgent(path, settingsOf({ LICENSE_DESK_HOSTNAME: name }), ["report"]);
      expect([name, exitCode, output]).toEqual([name, 3, expect.stringContaining("report: refused (HTTP 400")]);
    }
  });

  testOnHost(
    "exit code 4, which says nothing of the license, while nobody answers or the answer is no answer",
    async (path) => {
      const silent = await runAgent(path, settingsOf({ LICENSE_DESK_URL: "http://127.0.0.1:1" }));
      expect([silent.exitCode, silent.output]).toEqual([4, expect.stringContaining("no answer from")]);
      const page = "<html>a portal</html>";
      for (const [status, body, action] of [
        [503, "{}", "verify"],
        [429, "{}", "verify"],
        [200, page, "verify"],
        [200, page, "report"],
        [200, "", "verify"],
        [204, "", "report"],
        [302, "", "verify"],
        // BusyBox does not show the page.
        ...(host.appletsOf === null ? ([[404, page, "verify"]] as const) : []),
      ] as const) {
        const server = createServer((_request, response) => response.writeHead(status).end(body));
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        const { exitCode } = await runAgent(path, settingsOf({ LICENSE_DESK_URL: url }), [action]);
        server.close();
        expect([status, action, exitCode]).toEqual([status, action, 4]);
      }
    },
  );

  testOnHost("reads its settings from a file of its owner alone, and runs nothing that stands there", async (path) => {
    const { LICENSE_DESK_HOSTNAME, ...settings } = settingsOf();
    const file = join(folder, "license-desk.conf");
    const lines = Object.entries(settings).map(([name, value]) => `${name}="${value}"`);
    const write = (...more: string[]) =>
      writeFileSync(file, ["# settings", "", ...lines, ...more].join("\n"), { mode: 0o600 });
    write("LICENSE_DESK_HOSTNAME=$(touch /nowhere).example");
    expect(await runAgent(path, { LICENSE_DESK_CONFIG: file }, ["verify"])).toEqual({ exitCode: 0, output: "" });
    chmodSync(file, 0o640);
    const open = await runAgent(path, { LICENSE_DESK_CONFIG: file });
    expect([open.exitCode, open.output]).toEqual([2, expect.stringContaining("chmod 600")]);
    chmodSync(file, 0o600);
    if (process.getuid?.() === 0) {
      chownSync(file, 65_534, 0);
      const strangers = await runAgent(path, { LICENSE_DESK_CONFIG: file });
      expect([strangers.exitCode, strangers.output]).toEqual([2, expect.stringContaining("belongs to somebody else")]);
      chownSync(file, 0, 0);
    }
    write("touch /nowhere");
    expect((await runAgent(path, { LICENSE_DESK_CONFIG: file })).exitCode).toBe(2);
  });

  testOnHost("is not disturbed by what others have put where temporary files are", async (path) => {
    const shared = join(folder, "tmp");
    const trap = join(folder, "trap");
    mkdirSync(trap, { recursive: true });
    // Named after the processes that come next, which anybody can foretell.
    const { pid } = spawnSync("true");
    const names = Array.from({ length: 200 }, (_, next) => join(shared, `license-desk.${pid + next}`));
    for (const name of names) symlinkSync(trap, name);
    const run = await runAgent(path, settingsOf(), ["verify"]);
    for (const name of names) rmSync(name);
    expect([run, readdirSync(trap), readdirSync(shared)]).toEqual([{ exitCode: 0, output: "" }, [], []]);
  });

  testOnHost("exit code 4 on a full disk, and nothing is sent without the key", async (path) => {
    const requests: unknown[] = [];
    const server = createServer((request, response) => {
      requests.push(request.headers);
      response.writeHead(401).end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const commands = mkdtempSync(join(folder, "commands"));
    for (const command of readdirSync(path).filter((name) => name !== "mktemp")) {
      symlinkSync(join(path, command), join(commands, command));
    }
    for (const file of host.appletsOf === null ? ["body", "config"] : ["body"]) {
      const full = mkdtempSync(join(folder, "full"));
      symlinkSync("/dev/full", join(full, file));
      writeFileSync(join(commands, "mktemp"), `#!/bin/sh\necho "${full}"\n`, { mode: 0o755 });
      const { exitCode, output } = await runAgent(commands, settingsOf({ LICENSE_DESK_URL: url }));
      expect([file, exitCode, output]).toEqual([file, 4, expect.stringContaining("is full: nothing was sent")]);
    }
    server.close();
    expect(requests).toEqual([]);
  });

  testOnHost("exit code 4 for an answer without an end, of which hardly anything is read", async (path) => {
    let sent = 0;
    const part = Buffer.alloc(65_536, " ");
    const url = await serve((response) => {
      const write = () => {
        do sent += part.length;
        while (!response.destroyed && response.write(part));
      };
      write();
      response.on("drain", write);
    });
    const { exitCode } = await runAgent(path, settingsOf({ LICENSE_DESK_URL: url }), ["verify"]);
    expect(exitCode).toBe(4);
    // Beside the 2 MiB, what buffers of sockets hold.
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test.runIf(host.client === "wget")("exit code 4 for an answer that trickles for longer than an attempt", async () => {
    const path = commandsOf(host);
    if (path === null) throw new Error(`the commands of ${host.name} are needed for this test`);
    const commands = mkdtempSync(join(folder, "hurried"));
    for (const command of readdirSync(path).filter((name) => name !== "timeout")) {
      symlinkSync(join(path, command), join(commands, command));
    }
    // A second instead of the agent's thirty.
    writeFileSync(join(commands, "timeout"), `#!/bin/sh\nshift\nexec "${join(path, "timeout")}" 1 "$@"\n`, {
      mode: 0o755,
    });
    const rest = [...'{"valid":true,"expires":"2027-01-31"}'];
    const url = await serve((response) => {
      const timer = setInterval(() => (rest.length > 0 ? response.write(rest.shift()) : response.end()), 200);
      response.on("close", () => clearInterval(timer));
    });
    expect((await runAgent(commands, settingsOf({ LICENSE_DESK_URL: url }), ["verify"])).exitCode).toBe(4);
  });

  testOnHost("exit code 2 for settings that make no sense, and nothing is sent", async (path) => {
    const changes: Record<string, string>[] = [
      { LICENSE_DESK_URL: "" },
      { LICENSE_DESK_URL: "http://desk.example.com" },
      { LICENSE_DESK_URL: "http://127.0.0.1.example.com" },
      { LICENSE_DESK_URL: 'https://desk.example.com/"' },
      { LICENSE_DESK_API_KEY: "" },
      { LICENSE_DESK_API_KEY: 'a"b' },
      { LICENSE_DESK_LICENSE_KEY: "" },
      { LICENSE_DESK_LICENSE_KEY: 'x","y":"' },
      { LICENSE_DESK_CONFIG: join(folder, "nowhere.conf") },
    ];
    for (const change of changes) {
      expect([change, (await runAgent(path, settingsOf(change))).exitCode]).toEqual([change, 2]);
    }
    expect((await runAgent(path, settingsOf(), ["everything"])).exitCode).toBe(2);
  });
});

test("Wget2, which logs to standard output, is read as wget is, over HTTP/2 too", async () => {
  const path = commandsOf(hosts[0]);
  if (path === null) throw new Error("curl and dash are needed for this test");
  const commands = join(folder, "wget2");
  mkdirSync(commands);
  for (const command of [...APPLETS, "sh"]) symlinkSync(join(path, command), join(commands, command));
  const wget2 = [
    "#!/bin/sh",
    '[ "$1" != --version ] || { echo "GNU Wget2 2.2.0 - multithreaded downloader"; exit; }',
    "log=/dev/stdout",
    "while [ $# -gt 1 ]; do",
    '  case $1 in -o) log=$2 ;; -O) echo \'{"valid":true,"expires":"2027-01-31"}\' >"$2" ;; esac',
    "  shift",
    "done",
    "printf '# got header 80 bytes:\\n:status: 200\\n' >\"$log\"",
  ];
  writeFileSync(join(commands, "wget"), wget2.join("\n"), { mode: 0o755 });
  expect(await runAgent(commands, settingsOf(), ["-v", "verify"])).toEqual({
    exitCode: 0,
    output: "license-desk: valid until 2027-01-31\n",
  });
});

test("a client that would show the API key to others is not used unless that is allowed", async ({ skip }) => {
  const path = commandsOf(hosts[2]);
  if (path === null) return skip("BusyBox is not installed, and cannot be");
  const { exitCode, output } = await runAgent(path, settingsOf({ LICENSE_DESK_ALLOW_BUSYBOX: "" }));
  expect([exitCode, output]).toEqual([2, expect.stringContaining("install curl")]);
});

test.each(["curl", "wget"] as const)("the API key is on no command line of %s", async (client) => {
  const real = findCommand(client);
  const path = commandsOf(client === "curl" ? hosts[0] : hosts[1]);
  if (real === null || path === null) throw new Error(`${client} and dash are needed for this test`);
  const log = join(folder, `${client}.log`);
  const watched = join(folder, `watched ${client}`);
  mkdirSync(watched);
  writeFileSync(join(watched, client), `#!/bin/sh\necho "$@" >>"${log}"\nexec ${real} "$@"\n`, { mode: 0o755 });
  for (const command of [...APPLETS, "sh"]) symlinkSync(join(path, command), join(watched, command));
  expect((await runAgent(watched, settingsOf())).exitCode).toBe(0);
  expect(readFileSync(log, "utf8")).toContain("/api/v1/license/verify");
  expect(readFileSync(log, "utf8")).not.toContain(account.apiKey);
});
