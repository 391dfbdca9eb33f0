/**
 * npm run walk:operating, as root on Debian: executes docs/operating.md's way to one server in a new Debian 13 that
 * systemd-nspawn boots. Needs the network, the ports 80, 443 and 3000, 4 GB of disk, and some minutes.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Block, listBlocks } from "./operating/blocks.ts";
import { findOrInstallCommand } from "./shells.ts";

const SUITE = "trixie";
const MIRROR = "http://deb.debian.org/debian";
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
const INSTALLED = "/opt/license-desk";
const UNIT_SETTINGS = "etc/systemd/system/license-desk@.service.d";
const BOOT_TIMEOUT_MS = 60_000;
const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 500;

const project = join(import.meta.dirname, "..");

const say = (line: string) => void process.stdout.write(`${line}\n`);

function createSystem(): string {
  const system = mkdtempSync("/var/tmp/license-desk-walk-");
  // The root of a system is open to all of its users.
  chmodSync(system, 0o755);
  say(`Debian ${SUITE} in ${system}`);
  const packages = "ca-certificates,dbus,systemd-sysv";
  execFileSync("debootstrap", ["--variant=minbase", `--include=${packages}`, SUITE, system, MIRROR], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  // Networks may have an authority of their own.
  copyFileSync(CERTIFICATES, join(system, CERTIFICATES));
  const sources = execFileSync("git", ["archive", "HEAD"], { cwd: project, maxBuffer: 2 ** 30 });
  mkdirSync(join(system, INSTALLED), { recursive: true });
  execFileSync("tar", ["--extract", "--directory", join(system, INSTALLED)], { input: sources });
  lowerLimit(system);
  return system;
}

/** A machine may allow its root fewer open files than the unit asks for. */
function lowerLimit(system: string): void {
  const unit = readFileSync(join(project, "ops/systemd/license-desk@.service"), "utf8");
  const asked = Number(/^LimitNOFILE=(\d+)$/m.exec(unit)?.[1]);
  const allowed = Number(execFileSync("bash", ["-c", "ulimit -Hn"], { encoding: "utf8" }));
  if (!(allowed < asked)) return;
  say(`changed in the unit: LimitNOFILE=${allowed}, because this machine allows no more`);
  mkdirSync(join(system, UNIT_SETTINGS), { recursive: true });
  writeFileSync(join(system, UNIT_SETTINGS, "limit.conf"), `[Service]\nLimitNOFILE=${allowed}\n`);
}

interface Booted {
  readonly container: ChildProcess;
  /** The process that is the first one inside. */
  readonly firstPid: string;
}

async function boot(system: string): Promise<Booted> {
  const options = ["--quiet", "--register=no", "--keep-unit", "--console=pipe", "--directory", system, "--boot"];
  const container = spawn("systemd-nspawn", options, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: "1" },
  });
  const children = `/proc/${container.pid}/task/${container.pid}/children`;
  for (const deadline = Date.now() + BOOT_TIMEOUT_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    if (container.exitCode !== null) break;
    const firstPid = readFileSync(children, "utf8").trim();
    const state = firstPid && inside(firstPid, "systemctl is-system-running || true").stdout.trim();
    if (/^(running|degraded)$/.test(state)) return { container, firstPid };
  }
  container.kill("SIGKILL");
  throw new Error("The system did not boot.");
}

function inside(firstPid: string, command: string) {
  return spawnSync("nsenter", ["--target", firstPid, "--all", "bash", "-euo", "pipefail", "-c", command], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      HOME: "/root",
      LANG: "C.UTF-8",
      DEBIAN_FRONTEND: "noninteractive",
      npm_config_cafile: CERTIFICATES,
      NODE_ENV: undefined,
    } as unknown as NodeJS.ProcessEnv,
    cwd: project,
  });
}

/** @throws if it fails */
async function execute({ firstPid }: Booted, { text }: Block): Promise<string> {
  say(text.replaceAll(/^/gm, "  $ "));
  const { status, stdout } = inside(firstPid, text);
  if (status !== 0) throw new Error(`It ended with ${status}: ${stdout}`);
  if (text.includes("license-desk@main")) await untilReady();
  return stdout;
}

async function untilReady(): Promise<void> {
  const isReady = () =>
    fetch("http://127.0.0.1:3000/readyz").then(
      ({ ok }) => ok,
      () => false,
    );
  for (const deadline = Date.now() + READY_TIMEOUT_MS; !(await isReady()); await sleep(POLL_MS)) {
    if (Date.now() > deadline) throw new Error("The service did not become ready.");
  }
}

async function walk(booted: Booted): Promise<void> {
  let output = "";
  for (const block of listBlocks(readFileSync(join(project, "docs/operating.md"), "utf8"))) {
    if (block.kind === "server" || block.kind === "systemd") output += await execute(booted, block);
  }
  if (!/"verified": true/.test(output)) throw new Error(`No backup was verified: ${output}`);
  say(inside(booted.firstPid, "systemctl status --no-pager --lines=0 license-desk@main").stdout);
}

async function shutDown({ container, firstPid }: Booted): Promise<void> {
  const exited = once(container, "exit");
  inside(firstPid, "systemctl poweroff");
  await exited;
}

const missing = [
  ["debootstrap", "debootstrap"],
  ["systemd-nspawn", "systemd-container"],
].filter(([command = "", debianPackage]) => findOrInstallCommand(command, debianPackage) === null);
if (missing.length > 0) throw new Error(`missing: ${missing.map(([command]) => command).join(", ")}`);
const system = createSystem();
try {
  const booted = await boot(system);
  try {
    await walk(booted);
    say("The server is ready, and its backup verified.");
  } finally {
    await shutDown(booted);
  }
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  execFileSync("rm", ["--recursive", "--force", "--one-file-system", system]);
}
