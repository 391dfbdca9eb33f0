/** `deployment.json` in DATA_DIR, next to the secrets: the deployment that this machine serves. */
import { closeSync, fsyncSync, openSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readJsonFile } from "./private-file.ts";

const fileSchema = z.object({
  id: z.uuid(),
  /** The file's inode, which differs in a copied folder. */
  inode: z.string(),
});

const OWNER_ONLY = 0o600;

function fileIn(dataDir: string): string {
  return join(dataDir, "deployment.json");
}

function readInode(file: string): string {
  return statSync(file, { bigint: true }).ino.toString();
}

/** The id; null without a file, or if the folder was copied or restored. */
export function readDeploymentFile(dataDir: string): string | null {
  const file = fileIn(dataDir);
  const parsed = fileSchema.safeParse(readJsonFile(file));
  return parsed.success && parsed.data.inode === readInode(file) ? parsed.data.id : null;
}

/** Writes in place, because the file contains its own inode. */
export function writeDeploymentFile(dataDir: string, id: string): void {
  const file = fileIn(dataDir);
  const descriptor = openSync(file, "w", OWNER_ONLY);
  try {
    writeFileSync(descriptor, `${JSON.stringify({ id, inode: readInode(file) }, null, 2)}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
