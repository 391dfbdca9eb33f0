/** The table of environment variables, from the schema and the comments in lib/env.ts. */
import { schema } from "#lib/env.ts";

const COMMENTED = /^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}([A-Z][A-Z0-9_]*):/gm;
/** What applies when the schema itself has no default. */
const DEFAULT_IN_WORDS = / Default: (.+)\.$/;
const TABLE = /\| Variable \| Default \| Meaning \|\n(?:\|.*\n)+/;

type Variable = keyof typeof schema.shape;

/** @throws if a variable has no comment */
export function formatTable(source: string): string {
  const meanings = new Map(
    [...source.matchAll(COMMENTED)].map(([, comment = "", name = ""]) => [name, unwrap(comment)]),
  );
  const rows = (Object.keys(schema.shape) as Variable[]).map((name) => {
    const comment = meanings.get(name);
    if (comment === undefined) throw new Error(`${name} has no comment in lib/env.ts.`);
    const inWords = DEFAULT_IN_WORDS.exec(comment)?.[1];
    const meaning = comment.replace(DEFAULT_IN_WORDS, "");
    return `| \`${name}\` | ${inWords ?? formatDefault(name)} | ${[meaning, formatBounds(name)].join(" ").trim()} |\n`;
  });
  return `| Variable | Default | Meaning |\n|---|---|---|\n${rows.join("")}`;
}

/** @throws if the page has no such table */
export function replaceTable(page: string, table: string): string {
  if (!TABLE.test(page)) throw new Error("The page has no table of variables.");
  return page.replace(TABLE, () => table);
}

function unwrap(comment: string): string {
  return comment.replaceAll(/\s*\n\s*\*?\s*/g, " ").trim();
}

function formatDefault(name: Variable): string {
  const value: unknown = schema.shape[name].parse(undefined);
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? `\`${value}\`` : "none";
}

function formatBounds(name: Variable): string {
  const { minimum, maximum } = schema.shape[name].meta() ?? {};
  if (typeof minimum !== "number" || typeof maximum !== "number") return "";
  return `${minimum.toLocaleString("en-US")} to ${maximum.toLocaleString("en-US")}.`;
}
