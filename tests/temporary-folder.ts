import { statfsSync } from "node:fs";

const IN_MEMORY = "/dev/shm";
const GIB = 2 ** 30;
/** What the databases and browsers of a whole run need at most, with room to spare. */
const NEEDED_BYTES = 4 * GIB;

/**
 * Puts temporary folders into memory where Linux has enough of it, unless TMPDIR says otherwise. Creating a test
 * database copies 300 files: 25 ms in memory, 250 to 900 ms on a busy disk.
 */
export function keepTemporaryFoldersInMemory(): void {
  if (process.env.TMPDIR !== undefined || process.platform !== "linux") return;
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    if (bavail * bsize >= NEEDED_BYTES) process.env.TMPDIR = IN_MEMORY;
  } catch {
    // Without it, the disk serves.
  }
}
