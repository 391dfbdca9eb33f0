import { Command } from "commander";
import { findLastingDatabaseUrl } from "./installation.ts";

export function databaseCommand(): Command {
  const noun = new Command("database").description("where the data is");
  noun
    .command("url")
    .description("print the connection string, as it is, for psql and pg_dump")
    .action(() => {
      process.stdout.write(`${findLastingDatabaseUrl()}\n`);
    });
  return noun;
}
