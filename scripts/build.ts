/** npm run build: builds the dashboard for production, unless there is a build of these sources. */
import { join } from "node:path";
import { ensureBuilt } from "#lib/server/ensure-built.ts";

const cancelled = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => cancelled.abort());
await ensureBuilt(join(import.meta.dirname, ".."), (line) => process.stdout.write(`${line}\n`), cancelled.signal);
