/** npm run openapi: writes the OpenAPI document, which the server serves, and what clients/typescript takes from it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildDocument } from "./openapi/document.ts";
import { toTypeScript } from "./openapi/typescript.ts";

const root = join(import.meta.dirname, "..");
const document = buildDocument();
const files = {
  "public/api/openapi.json": `${JSON.stringify(document, null, 2)}\n`,
  "clients/typescript/src/schema.ts": toTypeScript(document),
};
for (const [file, text] of Object.entries(files)) {
  writeFileSync(join(root, file), text);
  process.stdout.write(`${file}\n`);
}
