/** npm run -s admin -- <command>: the operator's command line (docs/operating.md). */
import { runCommandLine } from "#lib/cli/program.ts";

await runCommandLine(process.argv.slice(2));
