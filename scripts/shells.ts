/** Finds the shells for the agent's tests, and installs one if possible. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The path of a command on PATH, or null. */
export function findCommand(name: string): string | null {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** The path of a command, installed from a Debian package if necessary; null if that is not possible. */
export function findOrInstallCommand(name: string, debianPackage = name): string | null {
  const found = findCommand(name);
  if (found !== null || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return found;
  const apt = (...args: string[]) =>
    spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"] }).status === 0;
  return apt("update") && apt("install", "-y", "--no-install-recommends", debianPackage) ? findCommand(name) : null;
}
