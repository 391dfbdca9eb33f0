/**
 * The interpreters of the clients in e2e/clients and clients/, and PHP libraries of the panels in e2e/panels. `npm test`
 * installs missing ones with apt if permitted, else skips their tests.
 */
import { spawnSync } from "node:child_process";

const INSTALL_TIMEOUT_MS = 180_000;

const interpreters = [
  { name: "python3", probe: ["python3", "--version"], debianPackage: "python3-minimal" },
  { name: "php", probe: ["php", "--version"], debianPackage: "php-cli" },
  { name: "php's curl", probe: ["php", "--ri", "curl"], debianPackage: "php-curl" },
  { name: "php's SQLite", probe: ["php", "--ri", "pdo_sqlite"], debianPackage: "php-sqlite3" },
  { name: "Twig", probe: ["php", "-r", "require 'Twig/autoload.php';"], debianPackage: "php-twig" },
  { name: "Smarty", probe: ["php", "-r", "require 'smarty4/Smarty.class.php';"], debianPackage: "smarty4" },
  // The JDK, because Walk.java is compiled at start.
  { name: "javac", probe: ["javac", "-version"], debianPackage: "default-jdk-headless" },
] as const;

function isInstalled({ probe: [command, ...options] }: { readonly probe: readonly [string, ...string[]] }): boolean {
  return spawnSync(command, options, { stdio: "ignore" }).status === 0;
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
    log(`Installing ${packages.join(", ")} for the tests of e2e/clients and e2e/panels.`);
    const install = ["install", "-y", "--no-install-recommends"];
    if (apt(...install, ...packages)) return;
    apt("update");
    // One at a time: a package that this system lacks does not keep the others away.
    for (const debianPackage of packages) apt(...install, debianPackage);
  }
  for (const { name } of interpreters.filter((interpreter) => !isInstalled(interpreter))) {
    log(`${name} is not installed: the tests that need it are skipped.`);
  }
}
