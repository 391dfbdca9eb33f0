/** `deployment.json` in DATA_DIR: which deployment this machine serves. Kept beside the secrets. */
import { closeSync, fsyncSync, openSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readJsonFile } from "./private-file.ts";

const fileSchema = z.object({
  id: z.uuid(),
  /** The file's own inode: a copied folder has another one, so a copy is not taken for the original. */
  inode: z.string(),
});

const OWNER_ONLY = 0o600;

function fileIn(dataDir: string): string {
  return join(dataDir, "deployment.json");
}

function inodeOf(file: string): string {
  return statSync(file, { bigint: true }).ino.toString();
}

/** The id; null when there is no file, or when it came here with a copied or restored folder. */
export function readDeploymentFile(dataDir: string): string | null {
  const file = fileIn(dataDir);
  const parsed = fileSchema.safeParse(readJsonFile(file));
  return parsed.success && parsed.data.inode === inodeOf(file) ? parsed.data.id : null;
}

/** Written in place: a file that replaces another has its own inode. */
export function writeDeploymentFile(dataDir: string, id: string): void {
  const file = fileIn(dataDir);
  const descriptor = openSync(file, "w", OWNER_ONLY);
  try {
    writeFileSync(descriptor, `${JSON.stringify({ id, inode: inodeOf(file) }, null, 2)}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
