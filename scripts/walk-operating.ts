/**
 * npm run walk:operating, as root on Debian: executes docs/operating.md's way to one server in a new Debian 13
 * in a folder. Needs the network, the ports 80, 443 and 3000, 4 GB of disk, and some minutes.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Block, listBlocks } from "./operating/blocks.ts";
import { readUnit } from "./operating/unit.ts";
import { findOrInstallCommand } from "./shells.ts";

const SUITE = "trixie";
const MIRROR = "http://deb.debian.org/debian";
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
const INSTALLED = "/opt/license-desk";
const READY_TIMEOUT_MS = 60_000;

const project = join(import.meta.dirname, "..");
/** Set in the process that has mounts of its own, which end with it. */
const system = process.env.WALK_SYSTEM ?? "";
const running: ChildProcess[] = [];

const say = (line: string) => void process.stdout.write(`${line}\n`);

function createSystem(): void {
  if (findOrInstallCommand("debootstrap") === null) throw new Error("debootstrap is missing.");
  say(`Debian ${SUITE} in ${system}`);
  execFileSync("debootstrap", ["--variant=minbase", "--include=ca-certificates,systemd", SUITE, system, MIRROR], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  execFileSync("mount", ["-t", "proc", "proc", join(system, "proc")]);
  execFileSync("mount", ["-t", "tmpfs", "tmpfs", join(system, "dev/shm")]);
  // Networks may have an authority of their own.
  copyFileSync(CERTIFICATES, join(system, CERTIFICATES));
  writeFileSync(join(system, "usr/sbin/policy-rc.d"), "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  const sources = execFileSync("git", ["archive", "HEAD"], { cwd: project, maxBuffer: 2 ** 30 });
  execFileSync("mkdir", ["-p", join(system, INSTALLED)]);
  execFileSync("tar", ["--extract", "--directory", join(system, INSTALLED)], { input: sources });
}

/** @throws if it fails */
function execute({ text }: Block): string {
  say(text.replaceAll(/^/gm, "  $ "));
  const result = spawnSync("chroot", [system, "bash", "-euo", "pipefail", "-c", text], {
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
  if (result.status !== 0) throw new Error(`It ended with ${result.status}: ${result.stdout}`);
  return result.stdout;
}

/** Starts what the unit starts: as its user, with its variables, without capabilities, on read-only sources. */
async function startService(): Promise<void> {
  const file = `${INSTALLED}/ops/systemd/license-desk@.service`;
  execFileSync("chroot", [system, "systemd-analyze", "verify", "--man=no", file], { stdio: "inherit" });
  const unit = readUnit(readFileSync(join(system, file), "utf8"));
  const variables = readFileSync(join(system, unit.environmentFile), "utf8").trim().split("\n");
  const as = [`--reuid=${unit.user}`, `--regid=${unit.group}`, "--clear-groups", "--no-new-privs"];
  const none = ["--bounding-set=-all", "--inh-caps=-all"];
  const command = ["setpriv", ...as, ...none, "env", ...unit.environment, ...variables, ...unit.command];
  const sources = join(system, unit.folder);
  execFileSync("mount", ["--bind", sources, sources]);
  execFileSync("mount", ["-o", "remount,ro,bind", sources]);
  const child = spawn("chroot", [system, "sh", "-c", 'cd "$0" && exec "$@"', unit.folder, ...command], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  running.push(child);
  const isReady = () =>
    fetch("http://127.0.0.1:3000/readyz").then(
      ({ ok }) => ok,
      () => false,
    );
  for (const deadline = Date.now() + READY_TIMEOUT_MS; !(await isReady()); await sleep(500)) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error("The service did not become ready.");
  }
}

async function startProxy(): Promise<void> {
  running.push(spawn("chroot", [system, "nginx", "-g", "daemon off;"], { stdio: "inherit" }));
  await sleep(1_000);
}

async function walk(): Promise<void> {
  createSystem();
  let output = "";
  for (const block of listBlocks(readFileSync(join(project, "docs/operating.md"), "utf8"))) {
    if (block.kind === "server") output += execute(block);
    else if (block.text.includes("systemctl enable")) await startService();
    else if (block.text.includes("systemctl reload nginx")) await startProxy();
    else if (block.kind === "systemd") say(`not executed:\n${block.text}`);
  }
  if (!/"verified": true/.test(output)) throw new Error(`No backup was verified: ${output}`);
}

async function stopAll(): Promise<void> {
  for (const child of running.reverse()) {
    if (child.exitCode !== null) continue;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  }
}

async function walkInside(): Promise<void> {
  try {
    await walk();
    say("The server is ready, and its backup verified.");
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  } finally {
    await stopAll();
  }
}

function startInside(): void {
  const folder = mkdtempSync("/var/tmp/license-desk-walk-");
  // The root of a system is open to all of its users.
  chmodSync(folder, 0o755);
  const command = ["--mount", process.execPath, import.meta.filename];
  const { status } = spawnSync("unshare", command, { stdio: "inherit", env: { ...process.env, WALK_SYSTEM: folder } });
  execFileSync("rm", ["--recursive", "--force", "--one-file-system", folder]);
  process.exitCode = status ?? 1;
}

if (system === "") startInside();
else await walkInside();
