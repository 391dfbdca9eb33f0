import { Command } from "commander";
import { createAdmin } from "#lib/services/user/create-admin.ts";
import { disconnectIssuer } from "#lib/services/user/disconnect-issuer.ts";
import { removeUserFactors } from "#lib/services/user/remove-factors.ts";
import { readSecret } from "./options.ts";
import { printJson } from "./output.ts";
import { runAsOperator } from "./run.ts";

export function userCommand(): Command {
  const noun = new Command("user").description("dashboard users");
  noun
    .command("create-admin")
    .description("create an admin")
    .requiredOption("--email <address>")
    .requiredOption("--name <name>")
    .requiredOption("--password-file <file>", "the password is in this file; - for standard input")
    .action(async ({ passwordFile, ...person }: { email: string; name: string; passwordFile: string }) => {
      const password = await readSecret("password-file", passwordFile);
      const { userId } = await runAsOperator((ctx) => createAdmin(ctx, { ...person, password }));
      printJson({ user_id: userId });
    });
  noun
    .command("remove-factors <email>")
    .description("remove all second factors of the users with this email address, and sign them out")
    .action(async (email: string) => {
      const { users } = await runAsOperator((ctx) => removeUserFactors(ctx, { email }));
      printJson(users.map(({ userId, removed }) => ({ user_id: userId, removed })));
    });
  noun
    .command("disconnect-issuer <email>")
    .description("forget the accounts at the issuer of the users with this email address, and sign them out")
    .action(async (email: string) => {
      const { users } = await runAsOperator((ctx) => disconnectIssuer(ctx, { email }));
      printJson(users.map(({ userId, disconnected }) => ({ user_id: userId, disconnected })));
    });
  return noun;
}
