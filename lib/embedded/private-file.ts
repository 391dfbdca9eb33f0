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
import { nullIfAbsent } from "./absent.ts";

const OWNER_ONLY = 0o600;

/** Writes JSON that only the owner can read. Atomic: readers see the old or the new file, even after a crash. */
export function writePrivateJson(file: string, value: unknown): void {
  const temporary = `${file}.${randomUUID()}.tmp`;
  const descriptor = openSync(temporary, "wx", OWNER_ONLY);
  try {
    if (process.getuid?.() === 0) {
      // After a single run by root, the folder must still serve its owner.
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

/** Like `writePrivateJson`, but returns false without writing if the file exists. */
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

/** The parsed file, or null if there is none. @throws if it is not JSON */
export function readJsonFile(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    return nullIfAbsent(error);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file} is not readable JSON: restore it from a backup.`);
  }
}
