/**
 * The interpreters of the clients in e2e/clients and clients/, PHP libraries of the panels in e2e/panels, and the browser
 * of e2e/webkit. `npm test` installs missing ones with apt if permitted, else skips their tests.
 */
import { spawnSync } from "node:child_process";

const INSTALL_TIMEOUT_MS = 180_000;

interface Program {
  readonly name: string;
  readonly probe: readonly [string, ...string[]];
  readonly debianPackage: string;
}

const WINDOW = "import gi; gi.require_version('Gtk', '3.0'); gi.require_version('WebKit2', '4.1')";
/** Safari's engine, what drives it, and the screen that it is shown on. */
export const webKitPrograms: readonly Program[] = [
  { name: "WebKitWebDriver", probe: ["which", "WebKitWebDriver"], debianPackage: "webkit2gtk-driver" },
  { name: "Python's GTK", probe: ["/usr/bin/python3", "-c", "import gi"], debianPackage: "python3-gi" },
  { name: "WebKitGTK", probe: ["/usr/bin/python3", "-c", WINDOW], debianPackage: "gir1.2-webkit2-4.1" },
  { name: "Xvfb", probe: ["which", "Xvfb"], debianPackage: "xvfb" },
];

const interpreters: readonly Program[] = [
  { name: "python3", probe: ["python3", "--version"], debianPackage: "python3-minimal" },
  { name: "php", probe: ["php", "--version"], debianPackage: "php-cli" },
  { name: "php's curl", probe: ["php", "--ri", "curl"], debianPackage: "php-curl" },
  { name: "php's SQLite", probe: ["php", "--ri", "pdo_sqlite"], debianPackage: "php-sqlite3" },
  { name: "Twig", probe: ["php", "-r", "require 'Twig/autoload.php';"], debianPackage: "php-twig" },
  { name: "Smarty", probe: ["php", "-r", "require 'smarty4/Smarty.class.php';"], debianPackage: "smarty4" },
  // The JDK, because Walk.java is compiled at start.
  { name: "javac", probe: ["javac", "-version"], debianPackage: "default-jdk-headless" },
  ...webKitPrograms,
];

export function isInstalled({ probe: [command, ...options] }: Program): boolean {
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
    log(`Installing ${packages.join(", ")} for the tests of e2e/clients, e2e/panels and e2e/webkit.`);
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
