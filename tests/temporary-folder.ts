import { statfsSync } from "node:fs";

const IN_MEMORY = "/dev/shm";
const GIB = 2 ** 30;
/** The most that databases and browsers of a whole run need, with a margin. */
const NEEDED_BYTES = 4 * GIB;

/**
 * Puts temporary folders into memory if Linux has enough, unless TMPDIR is set: creating test databases is much faster
 * there.
 */
export function keepTemporaryFoldersInMemory(): void {
  if (process.env.TMPDIR !== undefined || process.platform !== "linux") return;
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    if (bavail * bsize >= NEEDED_BYTES) process.env.TMPDIR = IN_MEMORY;
  } catch {
    // Otherwise, the disk is used.
  }
}
