import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join, sep } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
/** As in a terminal, without npm's folder. */
const PATH = String(process.env.PATH)
  .split(delimiter)
  .filter((folder) => !folder.includes(`node_modules${sep}.bin`) && !folder.includes("node-gyp-bin"))
  .join(delimiter);
const env = { PATH, HOME: process.env.HOME, NODE_ENV: "test" } as NodeJS.ProcessEnv;
const run = (command: string, ...args: string[]) => spawnSync(command, args, { cwd: root, env, encoding: "utf8" });
const hasNpm = run("npm", "--version").status === 0;

test.skipIf(!hasNpm)(
  "npm's scripts run with the Node among the packages, whatever the system's is",
  () => {
    const own = execFileSync(join(root, "node_modules", ".bin", "node"), ["--version"], { encoding: "utf8" });
    expect(own).toMatch(/^v24\./);
    const { stdout } = run("npm", "exec", "--no", "--", "node", "--version");
    expect(stdout).toBe(own);
    const { status, stderr } = run("npm", "run", "-s", "admin", "--", "--help");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  },
  60_000,
);

test("every script of package.json runs on that Node or a program of the packages", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  expect(Object.values(scripts).filter((script) => !/^(node|vitest) /.test(script))).toEqual([]);
});

test("npm does not warn about the system's older Node", () => {
  expect(readFileSync(join(root, ".npmrc"), "utf8")).toMatch(/^loglevel=error$/m);
});
