import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installLine } from "#components/diagnostics/install-line.ts";
import { findCommand } from "../scripts/shells.ts";

const ORIGIN = "https://desk.example.com";
const script = readFileSync(join(import.meta.dirname, "install.sh"), "utf8").replace("@LICENSE_DESK_URL@", ORIGIN);
const [one, two] = [
  { licenseKey: "LIC-AAAAA-BBBBB", apiKey: "lk_live_one" },
  { licenseKey: "LIC-CCCCC-DDDDD", apiKey: "lk_live_two" },
];

/** A root folder, and a curl that fetches the installer, and an agent that prints its settings and exits as told. */
function newServer({ cron = "cron" as "cron" | "BusyBox" | "none" } = {}) {
  const root = mkdtempSync(join(tmpdir(), "install-agent-"));
  // Debian has etc/cron.d without cron.
  for (const path of ["bin", "etc/cron.d", "usr/sbin"]) mkdirSync(join(root, path), { recursive: true });
  if (cron === "cron") writeFileSync(join(root, "usr/sbin/cron"), "", { mode: 0o755 });
  if (cron === "BusyBox") {
    writeFileSync(join(root, "bin/busybox"), "", { mode: 0o755 });
    symlinkSync("../../bin/busybox", join(root, "usr/sbin/crond"));
  }
  writeFileSync(join(root, "install.sh"), script);
  const agent = '#!/bin/sh\ncat "$LICENSE_DESK_CONFIG"\nexit $(grep -c CCCCC "$LICENSE_DESK_CONFIG")\n';
  writeFileSync(join(root, "agent.sh"), agent);
  writeFileSync(
    join(root, "bin/curl"),
    `#!/bin/sh\n[ "$2" = -o ] && exec cp ${root}/agent.sh "$3"\ncat ${root}/install.sh\n`,
  );
  chmodSync(join(root, "bin/curl"), 0o755);
  const run = (line: string) => {
    const env = { ...process.env, DESTDIR: root, PATH: `${join(root, "bin")}:/usr/sbin:/usr/bin:/sbin:/bin` };
    const { status, stdout, stderr } = spawnSync("sh", ["-c", line], { encoding: "utf8", env });
    return { status, stdout, stderr };
  };
  const at = (path: string) => join(root, path);
  return { run, at, files: (folder: string) => readdirSync(at(folder)).sort() };
}

const settings = ({ licenseKey, apiKey }: typeof one) =>
  `LICENSE_DESK_URL=${ORIGIN}\nLICENSE_DESK_API_KEY=${apiKey}\nLICENSE_DESK_LICENSE_KEY=${licenseKey}\n`;

test("one line leaves settings that nobody else reads and an hourly job, and runs the agent at once", () => {
  const server = newServer();
  expect(server.run(installLine(ORIGIN, [one]))).toEqual({ status: 0, stdout: settings(one), stderr: "" });
  const file = server.at("etc/license-desk/LIC-AAAAA-BBBBB.conf");
  expect(readFileSync(file, "utf8")).toBe(settings(one));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(server.at("etc/cron.d/license-desk-LIC-AAAAA-BBBBB"), "utf8")).toMatch(
    /^\d+ \* \* \* \* root LICENSE_DESK_CONFIG=\/etc\/license-desk\/LIC-AAAAA-BBBBB\.conf \/usr\/local\/bin\/license-desk-agent\n$/,
  );
  expect(statSync(server.at("usr/local/bin/license-desk-agent")).mode & 0o777).toBe(0o755);
});

test("a bundle's line installs every license; another line keeps them, and the same with a new key replaces its own", () => {
  const server = newServer();
  expect(server.run(installLine(ORIGIN, [one, two]))).toMatchObject({
    status: 1,
    stdout: settings(one) + settings(two),
  });
  server.run(installLine(ORIGIN, [{ ...one, apiKey: "lk_live_new" }]));
  expect(server.files("etc/license-desk")).toEqual(["LIC-AAAAA-BBBBB.conf", "LIC-CCCCC-DDDDD.conf"]);
  expect(readFileSync(server.at("etc/license-desk/LIC-AAAAA-BBBBB.conf"), "utf8")).toContain("lk_live_new");
  expect(readFileSync(server.at("etc/license-desk/LIC-CCCCC-DDDDD.conf"), "utf8")).toBe(settings(two));
  expect(server.files("etc/cron.d")).toHaveLength(2);
});

test("settings that were added stay when the same license is installed again", () => {
  const server = newServer();
  server.run(installLine(ORIGIN, [one]));
  const added = "# its name is none of RFC 1123\nLICENSE_DESK_HOSTNAME=web1.example.com\n";
  appendFileSync(server.at("etc/license-desk/LIC-AAAAA-BBBBB.conf"), `${added}LICENSE_DESK_ALLOW_BUSYBOX=1\n`);
  const renewed = { ...one, apiKey: "lk_live_new" };
  expect(server.run(installLine(ORIGIN, [renewed]))).toEqual({
    status: 0,
    stdout: settings(renewed) + added,
    stderr: "",
  });
});

test("a job or settings that cannot be written, as on a full disk, are no success and stay as they are", () => {
  for (const path of ["etc/cron.d/license-desk-LIC-AAAAA-BBBBB", "etc/license-desk/LIC-AAAAA-BBBBB.conf"]) {
    for (const installed of ["", "# installed earlier\n"]) {
      const server = newServer();
      mkdirSync(server.at("etc/license-desk"));
      if (installed) writeFileSync(server.at(path), installed);
      symlinkSync("/dev/full", server.at(`${path}.new`));
      expect(server.run(installLine(ORIGIN, [one]))).toMatchObject({ status: 2, stdout: "" });
      expect(existsSync(server.at(path)) ? readFileSync(server.at(path), "utf8") : "").toBe(installed);
    }
  }
});

test("what is missing is named, and nothing is installed", () => {
  const line = installLine(ORIGIN, [one]);
  for (const [cron, wrong, message] of [
    ["none", line, "cron is not installed: install it and run this again, or set up the systemd timer"],
    ["BusyBox", line, "cron is not installed"],
    ["cron", line.replace(` ${one.apiKey}`, ""), "usage: install.sh"],
    ["cron", line.replace(one.licenseKey, "'../x'"), "this is no key: ../x"],
  ] as const) {
    const server = newServer({ cron });
    const { status, stderr } = server.run(wrong);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(server.files("etc/cron.d")).toEqual([]);
    expect(existsSync(server.at("usr/local"))).toBe(false);
  }
});

test("a wget that checks no certificate fetches what root runs only if that is allowed, for the agent too", () => {
  const server = newServer();
  rmSync(server.at("bin/curl"));
  for (const command of ["awk", "cat", "chmod", "cksum", "grep", "id", "mkdir", "mv", "readlink", "sh"]) {
    symlinkSync(String(findCommand(command)), server.at(`bin/${command}`));
  }
  const wget = `#!/bin/sh\n[ "$1" = -q ] || { echo 'BusyBox v1.36'; exit 1; }\nexec cat ${server.at("agent.sh")} >"$3"\n`;
  writeFileSync(server.at("bin/wget"), wget, { mode: 0o755 });
  const install = `sh ${server.at("install.sh")} ${one.licenseKey} ${one.apiKey}`;
  const only = `PATH=${server.at("bin")}`;
  expect(server.run(`${only} ${install}`)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("install curl"),
  });
  expect(existsSync(server.at("usr/local"))).toBe(false);
  const allowed = `${settings(one)}LICENSE_DESK_ALLOW_BUSYBOX=1\n`;
  expect(server.run(`${only} LICENSE_DESK_ALLOW_BUSYBOX=1 ${install}`)).toEqual({
    status: 0,
    stdout: allowed,
    stderr: "",
  });
});

test("what a redirect leads to is not installed", () => {
  const server = newServer();
  const install = `sh ${server.at("install.sh")} ${one.licenseKey} ${one.apiKey}`;
  const refused = { status: 2, stderr: expect.stringContaining("the agent could not be downloaded") };
  writeFileSync(server.at("agent.sh"), "<html>301 Moved Permanently</html>\n");
  expect(server.run(install)).toMatchObject(refused);
  rmSync(server.at("bin/curl"));
  for (const command of ["cat", "chmod", "cksum", "grep", "id", "mkdir", "mv", "readlink", "sh"]) {
    symlinkSync(String(findCommand(command)), server.at(`bin/${command}`));
  }
  const wget = '#!/bin/sh\n[ "$1" = -q ] || { echo GNU Wget 1.24; exit; }\n[ "$4" = --max-redirect=0 ] && exit 8\n';
  writeFileSync(server.at("bin/wget"), wget, { mode: 0o755 });
  expect(server.run(`PATH=${server.at("bin")} ${install}`)).toMatchObject(refused);
  expect(server.files("usr/local/bin")).not.toContain("license-desk-agent");
  expect(server.files("etc/cron.d")).toEqual([]);
});

test("a download that was cut off runs nothing", () => {
  const server = newServer();
  for (let length = 200; length < script.length - 10; length += 97) {
    writeFileSync(server.at("install.sh"), script.slice(0, length));
    server.run(installLine(ORIGIN, [one]));
    expect(existsSync(server.at("usr/local")), `${length} characters`).toBe(false);
  }
});

test("a download that does not end is given up, and nothing is installed", () => {
  const server = newServer();
  writeFileSync(server.at("bin/curl"), "#!/bin/sh\nexec sleep 30\n");
  writeFileSync(server.at("bin/timeout"), '#!/bin/sh\nshift\nexec /usr/bin/timeout 1 "$@"\n', { mode: 0o755 });
  const { status, stderr } = server.run(`sh ${server.at("install.sh")} ${one.licenseKey} ${one.apiKey}`);
  expect([status, stderr]).toEqual([2, expect.stringContaining("could not be downloaded")]);
  expect(server.files("etc/cron.d")).toEqual([]);
});

test("what is downloaded without an end fills no disk", () => {
  const server = newServer();
  writeFileSync(server.at("bin/curl"), '#!/bin/sh\nexec dd if=/dev/zero of="$3" bs=1M count=64 status=none\n');
  const { status } = server.run(`sh ${server.at("install.sh")} ${one.licenseKey} ${one.apiKey}`);
  expect([status, statSync(server.at("usr/local/bin/license-desk-agent.new")).size]).toEqual([2, 2 * 1024 * 1024]);
});
