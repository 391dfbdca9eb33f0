import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

const write = /\binsert\s+into\b|\bdelete\s+from\b|\bupdate\s+(?:\$\{[^}]*\}|[a-z_]+)\s+(?:as\s+)?(?:[a-z]+\s+)?set\b/i;
/** What names who did it, or what happened. */
const record = /\binsert\s+into\s+(?:audit_entries|events|ledger_entries|operations)\b/i;
export const prismaWrite = /prisma\s*\.\s*\w+\s*\.\s*(?:create|update|delete|upsert)|\$(?:transaction|executeRaw)/;

function read(folder: string, extension: string): readonly { readonly name: string; readonly text: string }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(extension) && !file.endsWith(".test.ts") && !file.includes("generated"))
    .map((file) => ({
      name: file.slice(0, -extension.length).replaceAll("\\", "/"),
      text: readFileSync(join(root, folder, file), "utf8"),
    }));
}

/** The transitive closure of the members by their mentions. */
function closure(members: Set<string>, mentions: ReadonlyMap<string, string>): ReadonlySet<string> {
  for (let size = -1; size !== members.size; ) {
    size = members.size;
    const mention = new RegExp(`\\b(?:${[...members].join("|")})\\b`);
    for (const [name, text] of mentions) if (mention.test(text)) members.add(name);
  }
  return members;
}

const sqlFunctions = new Map(
  read("prisma/sql/functions", ".sql").map(({ name, text }) => [basename(name), text.replaceAll(/--.*/g, "")]),
);

/** Declarations in `lib/db`, each up to the next one. */
const declarations = new Map(
  read("lib/db", ".ts").flatMap(({ text }) =>
    text.split(/^(?=(?:export )?(?:async function|function|const|interface|type) )/m).flatMap((declared) => {
      const name = /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(declared)?.[1];
      return name === undefined ? [] : [[name, declared.replaceAll(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, "")] as const];
    }),
  ),
);

/** The functions of `lib/db` that reach, directly or through others and SQL functions, what `isMeant` describes. */
function findReaching(
  isMeant: (text: string) => boolean,
  isMeantSql: (name: string, text: string) => boolean,
): ReadonlySet<string> {
  const inSql = closure(
    new Set([...sqlFunctions].filter((one) => isMeantSql(...one)).map(([name]) => name)),
    sqlFunctions,
  );
  const callsSql = new RegExp(`\\b(?:${[...inSql].join("|")})\\(`);
  const direct = [...declarations].filter(([, text]) => isMeant(text) || callsSql.test(text)).map(([name]) => name);
  return closure(new Set(direct), declarations);
}

export const writers = findReaching(
  (text) => write.test(text) || prismaWrite.test(text),
  (name, text) => write.test(text) || name.startsWith("wake_"),
);

/** Those that leave an audit entry, an event, an operation or a ledger entry. */
export const recorders = findReaching(
  (text) => record.test(text),
  (_, text) => record.test(text),
);

/** Modules of `lib/services`. */
export const serviceModules = read("lib/services", ".ts");

/** What a module imports from `lib/db`, with its name in the module. */
export function importedFromDb(text: string): readonly { readonly name: string; readonly local: string }[] {
  return [...text.matchAll(/import \{([^}]*)\} from "#lib\/db\/[\w/-]+\.ts";/g)]
    .flatMap(([, names = ""]) => names.split(","))
    .map((one) => one.trim().split(/ as /))
    .map(([name = "", local = name]) => ({ name, local }));
}
