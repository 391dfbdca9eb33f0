/** npm run openapi: writes the OpenAPI document, which the server serves, and generates what clients take from it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { nameSchemas } from "./openapi/components.ts";
import { buildDocument } from "./openapi/document.ts";
import { listPromises } from "./openapi/promises.ts";

/** `--release`: the document becomes the last release, which later ones must not break (docs/versioning.md). */
const isRelease = process.argv.includes("--release");
const root = join(import.meta.dirname, "..");
const document = buildDocument();
const files = {
  "public/api/openapi.json": `${JSON.stringify(nameSchemas(document), null, 2)}\n`,
  ...(isRelease ? { "docs/api-promises.txt": `${listPromises(document).join("\n")}\n` } : {}),
};
for (const [file, text] of Object.entries(files)) {
  writeFileSync(join(root, file), text);
  process.stdout.write(`${file}\n`);
}
await import("../clients/typescript/generate.ts");
