import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, matchesGlob } from "node:path";
import { validate } from "dockerfile-utils";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { referencePages } from "#lib/dashboard/reference.ts";
import { schema } from "#lib/env.ts";
import { listBlocks } from "./operating/blocks.ts";
import { readUnit } from "./operating/unit.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const known = new Set(["NODE_ENV", ...Object.keys(schema.shape)]);

interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
}
type Model = new (resource: Resource) => { validate(): void };

const manifests = globSync("ops/kubernetes/*.yaml", { cwd: root }).flatMap((file) =>
  parseAllDocuments(read(file)).map((document) => ({ file, resource: document.toJS() as Resource })),
);

test("the Dockerfile is valid", () => {
  expect(validate(read("ops/Dockerfile"))).toEqual([]);
});

/** Whether Docker copies it: the last line decides that matches it or a folder of it. */
function isInImage(path: string): boolean {
  const line = read("ops/Dockerfile.dockerignore")
    .split("\n")
    .findLast((one) => [one, `${one}/**`].some((pattern) => matchesGlob(path, pattern.replace(/^!/, ""))));
  return line?.startsWith("!") ?? true;
}

/** The files, and all that they import of this repository. */
function withImports(files: readonly string[]): string[] {
  const found = new Set(files);
  for (const file of found) {
    if (!/\.tsx?$/.test(file)) continue;
    for (const [, path = ""] of read(file).matchAll(/(?:^import |\bfrom |\bimport\()"((?:#|\.{1,2}\/)[^"]+)"/gm))
      found.add(path.startsWith("#") ? path.slice(1) : join(dirname(file), path));
  }
  return [...found];
}

test("the image has all that the product reads and imports", () => {
  const pages = globSync("app/**/*.{ts,tsx}", { cwd: root, exclude: ["**/*.test.ts"] });
  const programs = ["server.ts", "proxy.ts", "instrumentation.ts", "scripts/admin.ts", "scripts/build.ts"];
  const modules = withImports([...pages, ...programs]).filter((path) => !path.startsWith("lib/db/generated/"));
  const documents = modules.flatMap((path) =>
    [...read(path).matchAll(/readInstalledFile\("(.+)"\)/g)].map(([, name = ""]) => name),
  );
  const files = [...modules, ...documents, ...referencePages.map(({ file }) => file)];
  expect(files.length).toBeGreaterThan(1_000);
  expect(documents).toContain("agent/install.sh");
  expect(files.filter((path) => !isInImage(path))).toEqual([]);
});

test("the image installs packages without the files that it copies later", () => {
  expect(read("ops/Dockerfile")).toContain("COPY scripts/generate.ts scripts/\nRUN npm ci\nCOPY . .");
  expect(withImports(["scripts/generate.ts"])).toEqual(["scripts/generate.ts"]);
});

test("the compose file is valid by its schema and the rules of dclint", () => {
  const cli = createRequire(import.meta.url)
    .resolve("dclint/package.json")
    .replace("package.json", "bin/dclint.cjs");
  const { stdout, status } = spawnSync(process.execPath, [cli, "--max-warnings=0", "ops/compose.yaml"], {
    cwd: root,
    encoding: "utf8",
  });
  expect({ stdout: stdout.trim(), status }).toEqual({ stdout: "", status: 0 });
});

test("every manifest is valid by the schemas of Kubernetes", async () => {
  const resources = manifests.filter(({ resource }) => resource.kind !== "Kustomization");
  expect(resources.length).toBeGreaterThanOrEqual(10);
  for (const { file, resource } of resources) {
    const models = (await import(/* @vite-ignore */ `kubernetes-models/${resource.apiVersion}`)) as Record<
      string,
      Model
    >;
    const Known = models[resource.kind];
    if (Known === undefined) throw new Error(`${file}: there is no ${resource.kind} in ${resource.apiVersion}.`);
    expect(() => new Known(resource).validate(), `${file}: ${resource.kind}`).not.toThrow();
  }
});

test("kustomize gets every manifest but the example, and they name each other's parts", () => {
  const { resources } = parse(read("ops/kubernetes/kustomization.yaml")) as { resources: string[] };
  const files = globSync("*.yaml", { cwd: join(root, "ops/kubernetes") });
  expect(files.filter((file) => !/^kustomization|example/.test(file)).sort()).toEqual(resources.sort());
});

test("every variable that a file of ops sets is one of License Desk", () => {
  const { services } = parse(read("ops/compose.yaml")) as { services: { desk: { environment: object } } };
  const text = JSON.stringify(manifests);
  const names = [
    ...Object.keys(services.desk.environment),
    ...[...read("ops/Dockerfile").matchAll(/^ENV (.*)$/gm)].flatMap(([, pairs = ""]) => pairs.split(" ")),
    ...readUnit(read("ops/systemd/license-desk@.service")).environment,
    ...[...text.matchAll(/"name":"([A-Z_]+)","value"/g)].map(([, name = ""]) => name),
    ...[...text.matchAll(/"([A-Z][A-Z_]+)[=:]|"([A-Z][A-Z_]+)":/g)].map(([, literal, key]) => literal ?? key ?? ""),
  ].map((pair) => pair.split("=", 1)[0] ?? "");
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !known.has(name) && name !== "ALL")).toEqual([]);
});

test("every block of docs/operating.md is valid shell for a known place", () => {
  const blocks = listBlocks(read("docs/operating.md"));
  expect(blocks.length).toBeGreaterThan(5);
  for (const { text } of blocks) expect(spawnSync("bash", ["-n", "-c", text]).stderr.toString()).toBe("");
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!hasSystemd)("the unit is valid, and systemd rates its exposure as low (needs systemd)", () => {
  const folder = mkdtempSync(join(tmpdir(), "license-desk-unit-"));
  const text = read("ops/systemd/license-desk@.service");
  const [program = ""] = readUnit(text).command;
  expect(program).toBe("/opt/license-desk/node_modules/.bin/node");
  const file = join(folder, "license-desk@main.service");
  // It names a file of the machine that it is for.
  writeFileSync(file, text.replaceAll("/opt/license-desk", folder));
  mkdirSync(dirname(join(folder, "node_modules/.bin/node")), { recursive: true });
  writeFileSync(join(folder, "node_modules/.bin/node"), "", { mode: 0o755 });
  const analyze = (...args: string[]) => spawnSync("systemd-analyze", [...args, file], { encoding: "utf8" });
  expect(analyze("verify", "--man=no").stderr).toBe("");
  const report = analyze("security", "--offline=true", "--no-pager", "--threshold=15");
  expect(report.stdout).toMatch(/Overall exposure level for license-desk@main.service: 1\.\d OK/);
  expect(report.status).toBe(0);
  rmSync(folder, { recursive: true });
});

/** What `desk-admin` gives the command line, with these files in /etc/license-desk. */
function runDeskAdmin(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "license-desk-admin-"));
  const settings = join(folder, "etc");
  mkdirSync(settings);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(settings, name), text);
  writeFileSync(join(folder, "setpriv"), "#!/bin/sh\nexec env --null\n", { mode: 0o755 });
  const script = read("ops/systemd/desk-admin")
    .replaceAll("/etc/license-desk", settings)
    .replaceAll("/opt/license-desk", folder);
  const { stdout, stderr, status } = spawnSync("sh", ["-c", script, "desk-admin"], {
    encoding: "utf8",
    env: { PATH: `${folder}:${process.env.PATH}` } as unknown as NodeJS.ProcessEnv,
  });
  rmSync(folder, { recursive: true });
  const variables = stdout.split("\0").map((pair) => [pair.split("=", 1)[0], pair.slice(pair.indexOf("=") + 1)]);
  return { status, stderr: stderr.replaceAll(settings, "/etc/license-desk"), variables: Object.fromEntries(variables) };
}

test("the command line of a service gets the values that systemd reads, whatever is in them", () => {
  const environment = [
    "# DATABASE_URL=postgresql://commented/out",
    "; DEMO=commented out",
    "",
    "DATABASE_URL=postgresql://desk:p%40ss@db.internal/desk?sslmode=verify-full&sslrootcert=/etc/ssl/db.pem",
    "BACKUP_PASSPHRASE=pa$$word `id` $(id) #1",
    "MAIL_FROM=License Desk <desk@example.com>",
    "  OIDC_NAME = 'Acme \\ \"staff\"'  ",
    `OIDC_CLIENT_ID="it's = $HOME"`,
    "METRICS_TOKEN=a'b\"c",
    "DEMO=",
    "DATA_DIR=/srv/license-desk\r",
    "PORT=3001",
  ].join("\n");
  const { status, stderr, variables } = runDeskAdmin({ environment, web1: "WORKER=off\n" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(variables).toMatchObject({
    NODE_ENV: "production",
    DATABASE_URL: "postgresql://desk:p%40ss@db.internal/desk?sslmode=verify-full&sslrootcert=/etc/ssl/db.pem",
    BACKUP_PASSPHRASE: "pa$$word `id` $(id) #1",
    MAIL_FROM: "License Desk <desk@example.com>",
    OIDC_NAME: 'Acme \\ "staff"',
    OIDC_CLIENT_ID: "it's = $HOME",
    METRICS_TOKEN: `a'b"c`,
    DEMO: "",
    DATA_DIR: "/srv/license-desk",
    PORT: "3001",
  });
  expect(variables).not.toHaveProperty("WORKER");
});

test("the command line of a service with an empty DATABASE_URL uses the embedded database", () => {
  const empty = ["DATABASE_URL=", ' DATABASE_URL = "" ', "DATABASE_URL=''\r"].join("\n");
  const { status, stderr, variables } = runDeskAdmin({ environment: empty, main: empty });
  expect({ status, stderr, url: variables.DATABASE_URL }).toEqual({ status: 0, stderr: "", url: "" });
});

test.each([
  [{ environment: "DEMO=off\nexport PORT=1" }, /environment, line 2: not NAME=value/],
  [{ environment: "DEMO" }, /environment, line 1: not NAME=value/],
  [{ environment: "SMTP_URL=a\\" }, /line 1: the value of SMTP_URL has a backslash/],
  [{ environment: 'SMTP_URL="a\nb"' }, /line 1: the value of SMTP_URL has .* unmatched quotes/],
  [{ environment: `SMTP_URL="a"'b'` }, /line 1: the value of SMTP_URL has .* unmatched quotes/],
  [
    { environment: "", main: "DATABASE_URL=postgresql://db/desk" },
    /DATABASE_URL is in \/etc\/license-desk\/main: move/,
  ],
  [
    { environment: "DATABASE_URL=", main: `DATABASE_URL = "postgresql://db/desk"` },
    /DATABASE_URL is in \/etc\/license-desk\/main: move/,
  ],
])("the command line of a service does not guess what an instance reads: %j", (files, message) => {
  const { status, stderr, variables } = runDeskAdmin(files);
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(message) });
  expect(variables).not.toHaveProperty("NODE_ENV");
});

test("the command line of a service finds what the unit names", () => {
  const unit = readUnit(read("ops/systemd/license-desk@.service"));
  const script = read("ops/systemd/desk-admin");
  for (const part of [unit.user, unit.folder, unit.environmentFile, ...unit.environment])
    expect(script).toContain(part);
});
