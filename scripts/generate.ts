/** Generates the Prisma client and the types of clients/typescript. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const schemaDir = join(root, "prisma", "schema");
const generatedDir = join(root, "lib", "db", "generated");
const stampFile = join(generatedDir, ".fingerprint");
const prismaManifest = createRequire(import.meta.url).resolve("prisma/package.json");

function schemaFiles(): string[] {
  if (!existsSync(schemaDir)) return [];
  return readdirSync(schemaDir)
    .filter((name) => name.endsWith(".prisma"))
    .sort()
    .map((name) => join(schemaDir, name));
}

/** By content, because checkouts and caches change file times. */
function fingerprint(files: string[]): string {
  const hash = createHash("sha256").update(readFileSync(prismaManifest));
  for (const file of files) hash.update(file.slice(schemaDir.length)).update(readFileSync(file));
  return hash.digest("hex");
}

/** Into lib/db/generated, without downloads. */
function generateDatabaseClient(): void {
  const cli = join(dirname(prismaManifest), "build", "index.js");
  const result = spawnSync(process.execPath, [cli, "generate", "--schema", schemaDir, "--no-hints"], {
    cwd: root,
    encoding: "utf8",
    env: {
      ...process.env,
      // Generating needs no schema engine, but Prisma downloads one unless this names an existing file.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: "1",
      CHECKPOINT_DISABLE: "1",
    },
  });
  if (result.status !== 0) {
    process.stderr.write(`${result.stdout ?? ""}${result.stderr ?? ""}`);
    process.stderr.write("The database client could not be generated from prisma/schema.\n");
    process.exit(1);
  }
}

const files = schemaFiles();
if (files.length === 0) {
  process.stdout.write("prisma/schema holds no schema: no database client to generate.\n");
} else {
  const wanted = fingerprint(files);
  const present = existsSync(stampFile) ? readFileSync(stampFile, "utf8") : "";
  if (present !== wanted) {
    generateDatabaseClient();
    mkdirSync(generatedDir, { recursive: true });
    writeFileSync(stampFile, wanted);
    process.stdout.write("Database client generated.\n");
  }
}

/** Absent while an image installs packages. */
const apiTypes = new URL("../clients/typescript/generate.ts", import.meta.url);
if (existsSync(apiTypes)) await import(apiTypes.href);
