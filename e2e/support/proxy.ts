/** The proxies of ops/, each with its own configuration: only ports, folders and the certificate are replaced. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { findFreePort } from "#lib/embedded/free-port.ts";
import { findOrInstallCommand } from "../../scripts/shells.ts";

const ops = join(import.meta.dirname, "..", "..", "ops");
export const HOST_NAME = "desk.example.com";
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 20;

export const proxyNames = ["nginx", "caddy"] as const;
export type ProxyName = (typeof proxyNames)[number];

export interface RunningProxy {
  readonly port: number;
  /** For requests over plain http; null if it has none. */
  readonly httpPort: number | null;
  /** The public address of what it serves. */
  readonly origin: string;
  readonly certificate: string;
  stop(): Promise<void>;
}

interface Setting {
  readonly folder: string;
  readonly port: number;
  readonly httpPort: number;
  /** `address:port` of each. */
  readonly instances: readonly string[];
}

interface Command {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Replaces what is there exactly as often as expected, so that the tests follow the file. */
function substitute(text: string, replacements: readonly (readonly [RegExp, string, number])[]): string {
  return replacements.reduce((before, [pattern, replacement, count]) => {
    const found = [...before.matchAll(pattern)].length;
    if (found !== count) throw new Error(`${pattern} is there ${found} times instead of ${count}.`);
    return before.replaceAll(pattern, replacement);
  }, text);
}

const prepare: Readonly<Record<ProxyName, (setting: Setting) => Command>> = {
  nginx({ folder, port, httpPort, instances }) {
    const site = substitute(readFileSync(join(ops, "nginx", "license-desk.conf"), "utf8"), [
      [/^ *listen \[::\]:.*\n/gm, "", 3],
      [/listen 80;/g, `listen 127.0.0.1:${httpPort};`, 1],
      [/listen 443 ssl( default_server| http2);\n/g, `listen 127.0.0.1:${port} ssl$1;\n`, 2],
      [/^ *# server 127\.0\.0\.1:3001 .*\n/gm, "", 1],
      [/^( *server )127\.0\.0\.1:3000( .*\n)/gm, instances.map((instance) => `$1${instance}$2`).join(""), 1],
      [/\/etc\/ssl\/license-desk\/fullchain.pem/g, join(folder, "cert.pem"), 1],
      [/\/etc\/ssl\/license-desk\/privkey.pem/g, join(folder, "key.pem"), 1],
    ]);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (kind) => `${kind}_temp_path ${join(folder, kind)};`,
    );
    const user = process.getuid?.() === 0 ? "user root;" : "";
    const events = "worker_processes 1; events { worker_connections 1024; }";
    const http = `http { access_log off; ${temporary.join(" ")}\n${site}\n}`;
    writeFileSync(join(folder, "nginx.conf"), `${user} daemon off; pid ${join(folder, "pid")}; ${events}\n${http}\n`);
    return { args: ["-e", join(folder, "error.log"), "-c", join(folder, "nginx.conf")] };
  },

  caddy({ folder, port, instances }) {
    const file = substitute(readFileSync(join(ops, "caddy", "Caddyfile"), "utf8"), [
      [/^\{$/gm, "{\n\tauto_https disable_redirects", 1],
      [
        /^\{\$DESK_ADDRESS.*$/gm,
        `$&\n\tbind 127.0.0.1\n\ttls ${join(folder, "cert.pem")} ${join(folder, "key.pem")}`,
        1,
      ],
    ]);
    writeFileSync(join(folder, "Caddyfile"), file);
    return {
      args: ["run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")],
      env: {
        CADDY_ADMIN: `unix/${join(folder, "admin")}`,
        DESK_ADDRESS: `https://${HOST_NAME}:${port}`,
        DESK_INSTANCES: instances.join(" "),
        HOME: folder,
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
      },
    };
  },
};

/** Caddy before 2.11.2 has nothing left to send to another instance if one refuses a request with a body. */
export function resendsBodies(name: ProxyName): boolean {
  if (name !== "caddy") return true;
  const [major = 0, minor = 0, patch = 0] = execFileSync("caddy", ["version"], { encoding: "utf8" })
    .replace(/^v/, "")
    .split(/[. ]/)
    .map(Number);
  return major > 2 || (major === 2 && (minor > 11 || (minor === 11 && patch >= 2)));
}

/** Null if it is not installed and cannot be. */
export const findProxy = (name: ProxyName): string | null =>
  findOrInstallCommand("openssl") && findOrInstallCommand(name);

export async function startProxy(name: ProxyName, port: number, instances: readonly string[]): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), `license-desk-${name}-`));
  const httpPort = await findFreePort();
  const certificate = createCertificate(folder);
  const { args, env } = prepare[name]({ folder, port, httpPort, instances });
  const child = spawn(findProxy(name) ?? name, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env.PATH, ...env } as unknown as NodeJS.ProcessEnv,
  });
  let output = "";
  child.stderr?.on("data", (chunk) => {
    output += chunk;
  });
  for (const deadline = Date.now() + START_TIMEOUT_MS; !(await isListening(port)); await sleep(POLL_MS)) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${name} did not start: ${output}`);
  }
  return {
    port,
    httpPort: name === "nginx" ? httpPort : null,
    origin: `https://${HOST_NAME}:${port}`,
    certificate,
    async stop() {
      await stopProcess(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function createCertificate(folder: string): string {
  const file = join(folder, "cert.pem");
  const names = ["-subj", `/CN=${HOST_NAME}`, "-addext", `subjectAltName=DNS:${HOST_NAME}`];
  const key = [
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-keyout",
    join(folder, "key.pem"),
  ];
  execFileSync("openssl", ["req", "-x509", "-days", "2", ...key, "-out", file, ...names], { stdio: "ignore" });
  return readFileSync(file, "utf8");
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTls({ host: "127.0.0.1", port, servername: HOST_NAME, rejectUnauthorized: false });
    socket.once("secureConnect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("secureConnect", () => socket.destroy());
  });
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await exited;
}

export interface ProxyAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface ProxyRequest {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  /** The client's own address. */
  readonly from?: string;
  /** Called with the first part of the answer, while the rest is to come. */
  readonly onStart?: (text: string) => void;
}

/** One request over HTTP/2, on a connection of its own. */
export function askProxy(
  { port, certificate }: RunningProxy,
  path: string,
  request: ProxyRequest = {},
): Promise<ProxyAnswer> {
  const { method = "GET", headers = {}, body, from, onStart } = request;
  return new Promise((resolve, reject) => {
    const session = connect(`https://${HOST_NAME}:${port}`, {
      createConnection: () =>
        connectTls({
          host: "127.0.0.1",
          port,
          servername: HOST_NAME,
          ca: certificate,
          ALPNProtocols: ["h2"],
          ...(from === undefined ? {} : { localAddress: from }),
        }),
    });
    session.once("error", reject);
    const stream = session.request({ ":method": method, ":path": path, ...headers }, { endStream: body === undefined });
    if (body !== undefined) stream.end(body);
    let answer: IncomingHttpHeaders = {};
    let text = "";
    stream.once("response", (received) => {
      answer = received;
    });
    stream.setEncoding("utf8");
    stream.on("data", (chunk: string) => {
      if (text === "") onStart?.(chunk);
      text += chunk;
    });
    stream.once("error", reject);
    stream.once("close", () => {
      session.close();
      const status = Number(answer[":status"]);
      if (Number.isNaN(status)) reject(new Error("the proxy sent no answer"));
      else resolve({ status, headers: answer, text });
    });
  });
}
