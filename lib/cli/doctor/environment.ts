/** Checks that need no database. */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isLoopback, isReachedLocally } from "#lib/domain/loopback.ts";
import { diskText, judgeDisk } from "#lib/domain/machine-health.ts";
import { type Env, schema } from "#lib/env.ts";
import { createMailSender, readDisk } from "#lib/runtime.ts";
import { type Check, type Finding, failed, findingOf, ok, warning } from "./check.ts";

const NODE_MAJOR = 24;
const MIN_DISTINCT_CHARACTERS = 12;
/** Shorter names resemble too many others. */
const MIN_NAME_LENGTH = 7;
const MAX_TYPOS = 2;
const OTHERS = 0o077;

export const environmentChecks: readonly Check<Env>[] = [
  { name: "variable names", run: () => checkNames(Object.keys(process.env)) },
  { name: "node", run: checkNode },
  { name: "secrets", run: checkSecrets },
  { name: "public address", run: checkAddress },
  { name: "mail", run: checkMail },
  { name: "disk of DATA_DIR", run: ({ DATA_DIR }) => checkDisk(DATA_DIR) },
  { name: "disk of BACKUP_DIR", run: checkBackupDir },
];

function checkNames(names: readonly string[]): Finding {
  const known = Object.keys(schema.shape);
  const typos = names.flatMap((name) => {
    if (known.includes(name)) return [];
    const meant = known.find(
      (one) => one.length >= MIN_NAME_LENGTH && countTypos(name.toUpperCase(), one) <= MAX_TYPOS,
    );
    return meant === undefined ? [] : [`${name} (${meant}?)`];
  });
  if (typos.length === 0) return ok("no variable looks misspelt");
  return warning(`not known: ${typos.join(", ")}`, "Correct the name; the variable has no effect.");
}

/** Levenshtein distance. */
function countTypos(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = Number(previous[j - 1]) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, Number(previous[j]) + 1, Number(row[j - 1]) + 1));
    }
    previous = row;
  }
  return Number(previous.at(-1));
}

function checkNode(): Finding {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= NODE_MAJOR) return ok(node);
  return failed(`${node} is too old`, `Use Node ${NODE_MAJOR}, which "npm ci" installs, by npm's scripts.`);
}

function checkSecrets({ DATA_DIR, API_KEY_PEPPER, NEXTAUTH_SECRET }: Env): Finding {
  const weak = Object.entries({ API_KEY_PEPPER, NEXTAUTH_SECRET }).filter(
    ([, value]) => value !== undefined && new Set(value).size < MIN_DISTINCT_CHARACTERS,
  );
  if (weak.length > 0) {
    return failed(
      `${weak.map(([name]) => name).join(", ")} can be guessed: few different characters`,
      "Replace it by the output of: openssl rand -base64 32",
    );
  }
  const file = join(DATA_DIR, "secrets.json");
  if (!existsSync(file)) return ok("from the environment, or created by the first start");
  if (process.platform !== "win32" && (statSync(file).mode & OTHERS) !== 0) {
    return failed(
      `other users can read ${file}`,
      `chmod 600 ${file}, and replace the secrets if others use this machine.`,
    );
  }
  return ok(`only its owner can read ${file}`);
}

function checkAddress(env: Env): Finding {
  const { HOST, NEXTAUTH_URL, TRUSTED_PROXIES } = env;
  if (isReachedLocally(env)) return ok("only this machine reaches it");
  if (!NEXTAUTH_URL?.startsWith("https:")) {
    return failed(
      `${NEXTAUTH_URL ?? HOST} is reached without https: passwords and keys can be read on the way`,
      "Put a proxy with TLS in front, and set NEXTAUTH_URL to its https address.",
    );
  }
  if (TRUSTED_PROXIES.length === 0) {
    return warning(
      "TRUSTED_PROXIES is empty: limits and logs take the proxy's address for every client's",
      "Set TRUSTED_PROXIES to the proxy's address.",
    );
  }
  if (!isLoopback(HOST)) return ok(`behind a proxy; ${HOST} must not be reachable past it`);
  return ok("behind a proxy on this machine");
}

async function checkMail(env: Env): Promise<Finding> {
  const sender = createMailSender(env);
  if (sender === null) {
    return warning("there is no mail server: messages stay in the outbox", "Set SMTP_URL and MAIL_FROM.");
  }
  const error = await sender.check();
  if (error === null) return ok("the mail server accepts the connection and the sign-in");
  return failed(`the mail server does not work: ${error}`, "Check SMTP_URL, the server and the network.");
}

async function checkBackupDir({ BACKUP_DIR }: Env): Promise<Finding> {
  if (BACKUP_DIR === undefined) return ok("no daily backups are set up");
  if (existsSync(BACKUP_DIR)) accessSync(BACKUP_DIR, constants.W_OK);
  return checkDisk(BACKUP_DIR);
}

async function checkDisk(folder: string): Promise<Finding> {
  let existing = resolve(folder);
  while (!existsSync(existing)) existing = dirname(existing);
  if (!statSync(existing).isDirectory()) return failed(`${existing} is not a folder`, "Name a folder.");
  const disk = await readDisk(existing);
  return findingOf(judgeDisk(disk), diskText(disk), "Free or add disk space.");
}
