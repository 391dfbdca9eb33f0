import { Command, CommanderError } from "commander";
import { apiKeyCommand } from "./api-key.ts";
import { auditCommand } from "./audit.ts";
import { backupCommand } from "./backup.ts";
import { catalogCommand } from "./catalog.ts";
import { databaseCommand } from "./database.ts";
import { deploymentCommand } from "./deployment.ts";
import { doctorCommand } from "./doctor.ts";
import { describeFailure, toExitCode } from "./error.ts";
import { licenseCommand } from "./license.ts";
import { isClosedPipe, note } from "./output.ts";
import { providerCommand, reconcileCommand } from "./provider.ts";
import { reconciliationCommand } from "./reconciliation.ts";
import { renewalsCommand } from "./renewals.ts";
import { resellerCommand } from "./reseller.ts";
import { restoreCommand } from "./restore.ts";
import { userCommand } from "./user.ts";
import { walletCommand } from "./wallet.ts";

const nouns = [
  resellerCommand,
  apiKeyCommand,
  auditCommand,
  walletCommand,
  licenseCommand,
  renewalsCommand,
  providerCommand,
  reconcileCommand,
  reconciliationCommand,
  databaseCommand,
  deploymentCommand,
  backupCommand,
  restoreCommand,
  doctorCommand,
  catalogCommand,
  userCommand,
];

/** All commands, of each noun. */
export function createProgram(): Command {
  const program = new Command("npm run -s admin --").description("Admin commands of License Desk");
  for (const noun of nouns) program.addCommand(noun());
  return program;
}

/** Runs a command line (without program and script) and sets the exit code. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  const program = createProgram();
  for (const command of withSubcommands(program)) command.exitOverride().showHelpAfterError();
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (isClosedPipe(error)) return;
    // Commander has already printed usage errors.
    if (!(error instanceof CommanderError)) note(describeFailure(error));
    process.exitCode = toExitCode(error);
  }
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}
