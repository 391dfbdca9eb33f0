import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installCommand } from "./install-command.ts";

const ORIGIN = "https://desk.example.com";

/** Runs it with a folder for the root of the file system, and a curl that fetches an agent which only greets. */
function install(command: string) {
  const root = mkdtempSync(join(tmpdir(), "install-agent-"));
  for (const folder of ["bin", "usr/local/bin", "etc/cron.d"]) mkdirSync(join(root, folder), { recursive: true });
  const curl = join(root, "bin/curl");
  writeFileSync(curl, '#!/bin/sh\nprintf "#!/bin/sh\\necho greets \\$1\\n" >"$3"\n');
  chmodSync(curl, 0o755);
  const script = command.replaceAll(/\/(usr|etc)\//g, `${root}/$1/`);
  const { status, stdout, stderr } = spawnSync("sh", ["-c", script], {
    encoding: "utf8",
    env: { ...process.env, PATH: `${join(root, "bin")}:/usr/bin:/bin` },
  });
  return { root, status, stdout, stderr };
}

test("with its key pasted in, the command leaves a configuration that nobody else reads, and runs the agent", () => {
  const command = installCommand(ORIGIN, ["LIC-1", "LIC-2"]).replace("paste the agent key here", "ld_key");
  const { root, status, stdout } = install(command);
  expect({ status, stdout }).toEqual({ status: 0, stdout: "greets -v\n" });
  const file = join(root, "etc/license-desk.conf");
  expect(readFileSync(file, "utf8")).toBe(
    `LICENSE_DESK_URL=${ORIGIN}\nLICENSE_DESK_API_KEY=ld_key\nLICENSE_DESK_LICENSE_KEY=LIC-1 LIC-2\n`,
  );
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(root, "etc/cron.d/license-desk"), "utf8")).toMatch(/^\d+ \* \* \* \* root /);
});

test("until the keys are pasted in, the command says so and changes nothing", () => {
  const bare = installCommand(ORIGIN, []);
  const keyed = bare.replace("paste the agent key here", "ld_key");
  for (const [command, missing] of [
    [bare, "agent key into API_KEY"],
    [bare.replace("paste the agent key here", ""), "agent key into API_KEY"],
    [keyed, "license key into LICENSE_KEY"],
  ] as const) {
    const { root, status, stderr } = install(command);
    expect({ status, stderr }).toEqual({ status: 1, stderr: `Paste the ${missing} first.\n` });
    expect(existsSync(join(root, "usr/local/bin/license-desk-agent"))).toBe(false);
  }
  expect(install(keyed.replace("paste the license key here", "LIC-1")).status).toBe(0);
});
