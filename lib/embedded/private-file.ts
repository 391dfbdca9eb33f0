import { randomUUID } from "node:crypto";
import {
  closeSync,
  fchownSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

const OWNER_ONLY = 0o600;

/** Writes JSON for the owner's eyes only; whoever reads meanwhile, or after a crash, sees the old file or the new. */
export function writePrivateJson(file: string, value: unknown): void {
  const temporary = `${file}.${randomUUID()}.tmp`;
  const descriptor = openSync(temporary, "wx", OWNER_ONLY);
  try {
    if (process.getuid?.() === 0) {
      // Run by root once, the folder must still serve the user it belongs to.
      const { uid, gid } = statSync(dirname(file));
      fchownSync(descriptor, uid, gid);
    }
    writeFileSync(descriptor, `${JSON.stringify(value, null, 2)}\n`);
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, file);
}

/** The same for a file that must not exist yet: false, and nothing written, when it does. */
export function createPrivateJson(file: string, value: unknown): boolean {
  const draft = `${file}.${randomUUID()}.draft`;
  writePrivateJson(draft, value);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The parsed file, or null when there is none. @throws when it is not JSON. */
export function readJsonFile(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file} is not readable JSON: restore it from a backup.`);
  }
}
