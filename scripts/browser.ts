/** Finds the Chromium for the browser tests, and installs one if possible. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { chromium, type LaunchOptions } from "@playwright/test";

/** Headless shell first: tests run a quarter faster in it. */
const COMMANDS = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "chrome",
  "msedge",
];

const FIXED_PATHS: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: [
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chromium",
    "/usr/bin/google-chrome",
    "/opt/google/chrome/chrome",
    "/snap/bin/chromium",
  ],
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ],
  win32: [
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
  ],
};

const isRoot = process.getuid?.() === 0;

function findInstalled(): string | null {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) return existsSync(chosen) ? chosen : null;
  const fromPath = (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => COMMANDS.map((name) => join(folder, process.platform === "win32" ? `${name}.exe` : name)));
  const candidates = [chromium.executablePath(), ...fromPath, ...(FIXED_PATHS[process.platform] ?? [])];
  return candidates.find((path) => path !== "" && existsSync(path)) ?? null;
}

function run(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: ["ignore", "inherit", "inherit"] }).status === 0;
}

function installPlaywrightChromium(): boolean {
  const manifest = createRequire(import.meta.url).resolve("@playwright/test/package.json");
  return run(process.execPath, [join(dirname(manifest), "cli.js"), "install", "chromium"]);
}

function installDebianChromium(): boolean {
  if (!isRoot || !existsSync("/usr/bin/apt-get")) return false;
  return (
    run("apt-get", ["update"]) &&
    run("apt-get", ["install", "-y", "--no-install-recommends", "chromium-headless-shell"])
  );
}

/**
 * The path of a Chromium: CHROMIUM_PATH, Playwright's, an installed one, or one installed now.
 * @throws if none is available.
 */
export function findBrowser(): string {
  const installed = findInstalled();
  if (installed !== null) return installed;
  if (process.env.CHROMIUM_PATH) throw new Error(`CHROMIUM_PATH names ${process.env.CHROMIUM_PATH}: no such file.`);
  for (const install of [installPlaywrightChromium, installDebianChromium]) {
    const found = install() ? findInstalled() : null;
    if (found !== null) return found;
  }
  throw new Error("The browser tests need Chromium or Chrome: install one, or set CHROMIUM_PATH to it.");
}

/**
 * Launch options of an installed browser: quiet, without network requests of its own, and without a sandbox for root.
 * `findBrowser` must have run before.
 */
export function browserLaunchOptions(): LaunchOptions {
  return {
    executablePath: findInstalled() ?? undefined,
    args: [
      ...(isRoot ? ["--no-sandbox"] : []),
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  };
}
