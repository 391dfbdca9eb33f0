/** npm run openapi: writes public/api/openapi.json, which the server serves and clients are made from. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildDocument } from "./openapi/document.ts";

const file = join(import.meta.dirname, "..", "public", "api", "openapi.json");
writeFileSync(file, `${JSON.stringify(buildDocument(), null, 2)}\n`);
process.stdout.write(`${file}\n`);
