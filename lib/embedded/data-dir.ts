/** DATA_DIR: everything that an embedded installation must not lose. */
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { createPrivateJson, readJsonFile } from "./private-file.ts";

const SECRET_BYTES = 32;

const secretsSchema = z.object({
  apiKeyPepper: z.string().min(1),
  authSecret: z.string().min(1),
  encryptionKey: z.string().regex(/^[A-Za-z0-9+/]{43}=$/),
});

/** `encryptionKey` is 32 bytes in base64; the others are used verbatim. */
export type Secrets = z.infer<typeof secretsSchema>;

/** Owner: everything. Group: traverse only, which the embedded database's user may need. Others: nothing. */
const MODE_MASK = 0o710;

/** Creates the folder if missing and restricts it to its owner; returns its real path. */
export function openDataDir(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = realpathSync(dataDir);
  chmodSync(path, (statSync(path).mode & MODE_MASK) | 0o700);
  return path;
}

/** Where a backup is restored to check it. */
export function backupCheckFolder(dataDir: string): string {
  return join(dataDir, "backup-check");
}

/**
 * Reads `secrets.json`. The first start creates it and nothing changes it: without it no API key can be verified and no
 * secret decrypted. API_KEY_PEPPER, NEXTAUTH_SECRET and ENCRYPTION_KEY in the environment take precedence.
 */
export function loadSecrets(dataDir: string, environment: Partial<Secrets> = {}): Secrets {
  const file = join(dataDir, "secrets.json");
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));
  const complete = secretsSchema.safeParse(given);
  if (complete.success) return complete.data;
  let stored = readJsonFile(file);
  if (stored === null) {
    const created: Secrets = {
      apiKeyPepper: randomBytes(SECRET_BYTES).toString("base64url"),
      authSecret: randomBytes(SECRET_BYTES).toString("base64url"),
      encryptionKey: randomBytes(SECRET_BYTES).toString("base64"),
    };
    // Of two processes that start together, one writes and both read its file.
    createPrivateJson(file, created);
    stored = readJsonFile(file);
  }
  const parsed = secretsSchema.safeParse(stored);
  if (!parsed.success) throw new Error(`${file} lacks a secret: restore it from a backup.`);
  return { ...parsed.data, ...given };
}

/** Writes `secrets.json` from a backup; false: there is one already. */
export function restoreSecrets(dataDir: string, json: string): boolean {
  return createPrivateJson(join(dataDir, "secrets.json"), secretsSchema.parse(JSON.parse(json)));
}

/** Whether `secrets.json` exists, so that reading creates nothing. */
export function hasSecrets(dataDir: string): boolean {
  return existsSync(join(dataDir, "secrets.json"));
}
