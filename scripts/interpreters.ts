/**
 * The interpreters of the strict clients in e2e/clients. `npm test` installs missing ones with apt if permitted, else
 * skips their tests.
 */
import { spawnSync } from "node:child_process";

const INSTALL_TIMEOUT_MS = 180_000;

const interpreters = [
  { command: "python3", version: "--version", debianPackage: "python3-minimal" },
  { command: "php", version: "--version", debianPackage: "php-cli" },
  // The JDK, because Walk.java is compiled at start.
  { command: "javac", version: "-version", debianPackage: "default-jdk-headless" },
] as const;

function isInstalled({ command, version }: { readonly command: string; readonly version: string }): boolean {
  return spawnSync(command, [version], { stdio: "ignore" }).status === 0;
}

function apt(...commandLine: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return (
    spawnSync("apt-get", ["-q", ...commandLine], { stdio: "ignore", timeout: INSTALL_TIMEOUT_MS, env }).status === 0
  );
}

export function installInterpreters(log: (line: string) => void): void {
  const missing = interpreters.filter((interpreter) => !isInstalled(interpreter));
  if (missing.length === 0) return;
  const packages = missing.map(({ debianPackage }) => debianPackage);
  if (process.getuid?.() === 0 && spawnSync("apt-get", ["--version"], { stdio: "ignore" }).status === 0) {
    log(`Installing ${packages.join(", ")} for the clients of e2e/clients.`);
    const install = ["install", "-y", "--no-install-recommends", ...packages];
    if (apt(...install)) return;
    if (apt("update") && apt(...install)) return;
  }
  for (const { command } of interpreters.filter((interpreter) => !isInstalled(interpreter))) {
    log(`${command} is not installed: its client's test is skipped.`);
  }
}
