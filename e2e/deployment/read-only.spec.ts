import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { e2eEnvironment } from "../support/environment.ts";
import { type OwnServer, startOwnServer } from "../support/own-server.ts";
import { expect, test } from "../support/test.ts";

const root = join(import.meta.dirname, "..", "..");
/** All of the system is read-only to the program that this runs, except the folder in DATA_DIR. */
const MOUNTS = `
  mount -t tmpfs none "$DATA_DIR" && mount --bind "$PROJECT" "$PROJECT" || exit 1
  for place in / /home /tmp /var /dev/shm "$PROJECT"; do
    if mountpoint -q "$place"; then mount -o remount,ro,bind "$place" || exit 1; fi
  done
  cd "$PROJECT" && exec "$@"`;
const user = process.getuid?.() === 0 ? [] : ["--map-root-user"];
const launcher = ["unshare", "--mount", ...user, "sh", "-c", MOUNTS, "sh"];

const folder = mkdtempSync(join(tmpdir(), "license-desk-read-only-"));
const env = { DATA_DIR: folder, PROJECT: root };
const [program = "", ...options] = launcher;
const run = (...command: string[]) =>
  spawnSync(program, [...options, ...command], { env: { ...process.env, ...env }, encoding: "utf8" });

test.describe.configure({ mode: "serial" });
test.skip(run("true").status !== 0, "this system lets nobody mount folders of their own");

let server: OwnServer;
const PATHS = ["/sign-in", "/docs", "/favicon.ico", "/api/openapi.json"];
const log = join(tmpdir(), `license-desk-read-only-${process.pid}.log`);

test.beforeAll(async () => {
  server = await startOwnServer("server", env, { logFile: log, launcher });
});

test.afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
  rmSync(log, { force: true });
});

test("a built tree runs read-only: the server writes nothing outside of DATA_DIR", async ({ request }) => {
  expect(run("touch", join(root, "probe")).stderr).toContain("Read-only file system");
  for (const path of PATHS) expect((await request.get(server.url + path)).status(), path).toBe(200);
  expect((await request.get(`${server.url}/api/v1/?endpoint=balance`)).status()).toBe(401);
  expect(readFileSync(log, "utf8")).not.toMatch(/EROFS|read-only|error/i);
});

test("nor does it write into a tree that lets it", async ({ request }) => {
  const { serverUrl, nextUrl } = e2eEnvironment();
  const before = Date.now();
  for (const url of [serverUrl, nextUrl]) for (const path of PATHS) await request.get(url + path);
  const files = globSync(".next/**", { cwd: root }).map((name) => ({ name, ...statSync(join(root, name)) }));
  expect(files.filter(({ ctimeMs }) => ctimeMs >= before).map(({ name }) => name)).toEqual([]);
});
