/** npm run openapi: writes the OpenAPI document, which the server serves, and what clients/typescript takes from it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { nameSchemas } from "./openapi/components.ts";
import { buildDocument } from "./openapi/document.ts";
import { listPromises } from "./openapi/promises.ts";
import { toTypeScript } from "./openapi/typescript.ts";

/** `--release`: the document becomes the last release, which later ones must not break (docs/versioning.md). */
const isRelease = process.argv.includes("--release");
const root = join(import.meta.dirname, "..");
const document = buildDocument();
const published = nameSchemas(document);
const files = {
  "public/api/openapi.json": `${JSON.stringify(published, null, 2)}\n`,
  "clients/typescript/src/schema.ts": toTypeScript(published),
  ...(isRelease ? { "docs/api-promises.txt": `${listPromises(document).join("\n")}\n` } : {}),
};
for (const [file, text] of Object.entries(files)) {
  writeFileSync(join(root, file), text);
  process.stdout.write(`${file}\n`);
}
