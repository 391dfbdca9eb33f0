/** npm run -s admin -- <command>: the operator's command line (docs/operating/commands.md). */
import { handleClosedPipes } from "#lib/cli/output.ts";
import { runCommandLine } from "#lib/cli/program.ts";

handleClosedPipes();
await runCommandLine(process.argv.slice(2));
