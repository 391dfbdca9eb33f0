import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { commands } from "./cli-commands.ts";
import { type Command, EXIT, type Io, type Options, UsageError } from "./cli-context.ts";
import { aligned, cellOf, createPrinter } from "./cli-output.ts";
import { LicenseDesk, LicenseDeskError } from "./index.ts";

const shared = {
  url: { type: "string", value: "<url>", help: "the installation; default: LICENSE_DESK_URL" },
  key: { type: "string", value: "<key>", help: "API key; default: LICENSE_DESK_API_KEY, which other users cannot see" },
  json: { type: "boolean", help: "JSON, one object a line for lists" },
  help: { type: "boolean", short: "h", help: "this text" },
  version: { type: "boolean", help: "the version of this program" },
} as const satisfies Options;

const EXIT_CODES = `Exit codes: 0 done, 1 rejected or not valid, 2 usage, 3 no answer, 4 the outcome is open.`;

/** Runs one command line. Returns the exit code. */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  try {
    return await run(args, io);
  } catch (error) {
    if (error instanceof LicenseDeskError) return explain(error, io);
    if (!(error instanceof UsageError)) throw error;
    io.errors.write(`license-desk: ${error.message}\n`);
    return EXIT.usage;
  }
}

async function run(args: readonly string[], io: Io): Promise<number> {
  const name = Object.keys(commands).find((one) => one.split(" ").every((word, index) => args[index] === word));
  const command = commands[name ?? ""];
  const { values, positionals } = parse(args, command?.options ?? null);
  if (values.version) {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    io.output.write(`${version}\n`);
    return EXIT.done;
  }
  if (values.help) {
    io.output.write(name && command ? commandHelp(name, command) : generalHelp());
    return EXIT.done;
  }
  if (!(name && command)) {
    throw new UsageError(`${args[0] ? `There is no command ${args[0]}.` : "A command is missing."}

${generalHelp()}`);
  }
  const operands = positionals.slice(name.split(" ").length);
  if (operands.length !== command.operands.length) {
    throw new UsageError(`Usage: ${usageOf(name, command)}`);
  }
  for (const [option, { required }] of Object.entries(command.options)) {
    if (required && values[option] === undefined) throw new UsageError(`--${option} is missing.`);
  }
  const print = createPrinter(io.output, values.json === true);
  return command.run({ desk: connect(values, io), values, operands, print, io });
}

/** Options of an unknown command (null) are not checked: the command itself is reported. */
function parse(args: readonly string[], own: Options | null) {
  try {
    const options: Options = { ...shared, ...own };
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: own !== null });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function connect(values: Readonly<Record<string, unknown>>, { env }: Io): LicenseDesk {
  const baseUrl = values.url ?? env.LICENSE_DESK_URL;
  const apiKey = values.key ?? env.LICENSE_DESK_API_KEY;
  if (typeof baseUrl !== "string" || !URL.canParse(baseUrl)) throw new UsageError("Set LICENSE_DESK_URL or --url.");
  if (typeof apiKey !== "string" || apiKey === "") throw new UsageError("Set LICENSE_DESK_API_KEY or --key.");
  return new LicenseDesk({ baseUrl, apiKey });
}

function explain(error: LicenseDeskError, { errors }: Io): number {
  const { message, code, status, details, requestId, isUnclear } = error;
  const isUnanswered = isUnclear || code === "CONNECTION_FAILED" || code === "TIMEOUT" || (status ?? 0) >= 500;
  const facts = [...Object.entries(details), ["code", code], ...(requestId ? [["request", requestId]] : [])];
  const rows = facts.map(([field, text]) => [`  ${cellOf(field)}`, cellOf(text)]);
  errors.write(`license-desk: ${cellOf(message)}\n${aligned(rows)}`);
  return isUnanswered ? EXIT.noAnswer : EXIT.rejected;
}

function usageOf(name: string, { operands }: Command): string {
  return ["license-desk", name, ...operands.map((operand) => `<${operand}>`), "[options]"].join(" ");
}

function optionRows(options: Options): string[][] {
  return Object.entries(options).map(([name, { value, required, help }]) => [
    `  --${name}${value ? ` ${value}` : ""}`,
    `${help}${required ? " (required)" : ""}`,
  ]);
}

function commandHelp(name: string, command: Command): string {
  const options = aligned(optionRows({ ...command.options, ...shared }));
  return `${command.summary}\n\nUsage: ${usageOf(name, command)}\n\nOptions:\n${options}\n${EXIT_CODES}\n`;
}

function generalHelp(): string {
  const rows = Object.entries(commands).map(([name, { operands, summary }]) => [
    `  ${[name, ...operands.map((operand) => `<${operand}>`)].join(" ")}`,
    summary,
  ]);
  return [
    "Usage: license-desk <command> [options]\n",
    `Commands:\n${aligned(rows)}`,
    `Options of every command:\n${aligned(optionRows(shared))}`,
    `${EXIT_CODES}\n`,
  ].join("\n");
}
