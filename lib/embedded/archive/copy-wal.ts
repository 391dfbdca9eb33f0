import { constants } from "node:fs";
import { type FileHandle, open, rename } from "node:fs/promises";
import { join } from "node:path";
import { listSegments, PARTIAL, walFolder } from "./folder.ts";
import { type Lsn, SEGMENT_BYTES, segmentName } from "./segment.ts";

/** The log between two archived positions is gone. */
export class WalGapError extends Error {
  override readonly name = "WalGapError";
}

export interface WalCopier {
  /** Everything before it is in the archive. */
  readonly position: Lsn;
  /** Copies the log up to a position that is on disk, and waits until the copy is, too. @throws WalGapError */
  copyTo(end: Lsn): Promise<void>;
  close(): Promise<void>;
}

const PIECE_BYTES = 1024 * 1024;

/** Where a line ends: the segment that was being copied is copied again. Null: there is none. */
export async function findArchivedEnd(line: string): Promise<Lsn | null> {
  const last = (await listSegments(line)).at(-1);
  if (!last) return null;
  return last.partial ? last.start : last.start + SEGMENT_BYTES;
}

/** Copies a timeline's log from `start`, the first byte of a segment, while the server writes it. */
export function createWalCopier(options: {
  readonly clusterDir: string;
  /** Its folder. */
  readonly line: string;
  readonly timeline: string;
  readonly start: Lsn;
}): WalCopier {
  const { clusterDir, line, timeline } = options;
  let position = options.start;
  let target: FileHandle | null = null;
  const pathOf = (name: string) => join(walFolder(line), name);

  async function copyWithinSegment(end: Lsn): Promise<void> {
    const name = segmentName(timeline, position);
    const source = join(clusterDir, "pg_wal", name);
    const from = await open(source).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "ENOENT" ? new WalGapError(`the log lacks ${name}`) : error;
    });
    try {
      target ??= await openPartial(pathOf(`${name}${PARTIAL}`));
      const buffer = Buffer.alloc(PIECE_BYTES);
      while (position < end) {
        const offset = Number(position % SEGMENT_BYTES);
        const wanted = Math.min(buffer.length, Number(end - position));
        const { bytesRead } = await from.read(buffer, 0, wanted, offset);
        if (bytesRead === 0) throw new WalGapError(`the log ends early in ${name}`);
        await target.write(buffer, 0, bytesRead, offset);
        position += BigInt(bytesRead);
      }
      await target.datasync();
    } finally {
      await from.close();
    }
    if (position % SEGMENT_BYTES !== 0n) return;
    await closeTarget();
    await rename(pathOf(`${name}${PARTIAL}`), pathOf(name));
  }

  async function closeTarget(): Promise<void> {
    const closing = target;
    target = null;
    await closing?.close();
  }

  return {
    get position() {
      return position;
    },
    async copyTo(end) {
      while (position < end) {
        const segmentEnd = (position / SEGMENT_BYTES + 1n) * SEGMENT_BYTES;
        await copyWithinSegment(end < segmentEnd ? end : segmentEnd);
      }
    },
    close: closeTarget,
  };
}

/** As large as a segment, so that PostgreSQL reads it; what is not copied yet is zero. Keeps what was copied before. */
async function openPartial(file: string): Promise<FileHandle> {
  const handle = await open(file, constants.O_RDWR | constants.O_CREAT, 0o600);
  await handle.truncate(Number(SEGMENT_BYTES));
  return handle;
}
