import { Command } from "commander";
import { createAdmin } from "#lib/services/user/create-admin.ts";
import { printJson } from "./output.ts";
import { runAsOperator } from "./run.ts";

export function userCommand(): Command {
  const noun = new Command("user").description("dashboard users");
  noun
    .command("create-admin")
    .description("create an admin")
    .requiredOption("--email <address>")
    .requiredOption("--name <name>")
    .requiredOption("--password <password>")
    .action(async (options: { email: string; name: string; password: string }) => {
      const { userId } = await runAsOperator((ctx) => createAdmin(ctx, options));
      printJson({ user_id: userId });
    });
  return noun;
}
