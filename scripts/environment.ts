/** npm run docs:env: writes the table of docs/operating/environment.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatTable, replaceTable } from "./environment/table.ts";

const root = join(import.meta.dirname, "..");
const page = join(root, "docs", "operating", "environment.md");
const table = formatTable(readFileSync(join(root, "lib", "env.ts"), "utf8"));
writeFileSync(page, replaceTable(readFileSync(page, "utf8"), table));
process.stdout.write("docs/operating/environment.md\n");
