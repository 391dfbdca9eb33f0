import { Command } from "commander";
import { findDatabaseUrl } from "./installation.ts";
import { print } from "./output.ts";

export function databaseCommand(): Command {
  const noun = new Command("database").description("where the data is");
  noun
    .command("url")
    .description("print the connection string, as it is, for psql")
    .action(() => print(`${findDatabaseUrl()}\n`));
  return noun;
}
