/**
 * The lock of DATA_DIR. Its holder renews it, so that a process on another machine or in another container, which cannot
 * see the holder, finds out whether it lives (docs/decisions/0079).
 */

import { randomUUID } from "node:crypto";
import { closeSync, fstatSync, linkSync, openSync, readFileSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { nullIfAbsent } from "./absent.ts";
import { createPrivateJson, writePrivateJson } from "./private-file.ts";
import { isProcessAlive, PLACE, readProcessIdentity } from "./process-identity.ts";
import { keepFilesOfPrograms, killPrograms } from "./programs.ts";

const BEAT_MS = 2_000;
const POLL_MS = 250;
/** Reads without a renewal after which the holder is dead. Only fast ones count: a hanging disk stops both sides. */
const SILENT_LOOKS = 40;
const SLOW_LOOK_MS = 1_000;
/** On a disk that stays slow, whether the holder lives cannot be determined. */
const WATCHED_UP_TO_MS = 5 * 60_000;

const holderSchema = z.object({
  id: z.uuid(),
  pid: z.number().int(),
  birth: z.string().nullable(),
  /** The machine's name, for messages. */
  host: z.string(),
  place: z.string(),
  url: z.string().nullable(),
});
type Holder = z.infer<typeof holderSchema>;

export type DataDirLock = {
  /** Shown to processes that find the folder locked. */
  publishUrl(url: string): void;
  /** Resolves once another process has taken the lock, such as while this one was suspended. Its databases are dead. */
  lost: Promise<Error>;
  release(): void;
};

/** Another License Desk uses the folder. */
export class DataDirInUseError extends Error {
  override readonly name = "DataDirInUseError";
  /** Its URL; null while it starts, and for an admin command. */
  readonly holderUrl: string | null;
  /** Whether it is on another machine or in another container. */
  readonly isElsewhere: boolean;
  constructor(holder: Holder | null) {
    const isElsewhere = holder?.place !== PLACE;
    const url = holder?.url ? `, ${holder.url}` : "";
    super(
      isElsewhere
        ? `License Desk uses this DATA_DIR on another machine or in another container (${describe(holder)}${url}): two ` +
            "would destroy the database. Stop it there first. Nothing was changed."
        : `License Desk is already running on this DATA_DIR (process ${holder?.pid}${url}).`,
    );
    this.holderUrl = holder?.url ?? null;
    this.isElsewhere = isElsewhere;
  }
}

const describe = (holder: Holder | null) => (holder ? `${holder.host}, process ${holder.pid}` : "unknown");

interface Present {
  readonly text: string;
  /** Null: unreadable. */
  readonly holder: Holder | null;
  /** Changes as long as the holder lives. */
  readonly beat: bigint;
}

/** Opens the file each time, so that a network file system asks its server. */
function readPresent(file: string): Present | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch (error) {
    return nullIfAbsent(error);
  }
  try {
    const text = readFileSync(descriptor, "utf8");
    return { text, holder: parseHolder(text), beat: fstatSync(descriptor, { bigint: true }).mtimeNs };
  } finally {
    closeSync(descriptor);
  }
}

function parseHolder(text: string): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * Of a process that this one can see, at once; of any other, once its lock was or was not renewed.
 * @throws if the disk is too slow for that
 */
async function judgeLock(
  file: string,
  seen: Present,
  log: (line: string) => void,
): Promise<"held" | "stale" | "replaced"> {
  const { holder } = seen;
  if (holder?.place === PLACE) return isAlive(holder) ? "held" : "stale";
  log(
    `DATA_DIR is locked on another machine or in another container (${describe(holder)}): waiting up to ` +
      `${(SILENT_LOOKS * POLL_MS) / 1_000} seconds for a sign of life.`,
  );
  const watchedFrom = performance.now();
  for (let looks = 0; looks < SILENT_LOOKS; ) {
    const begunAt = performance.now();
    if (begunAt - watchedFrom > WATCHED_UP_TO_MS) throw describeSlowDisk(file, holder);
    await sleep(POLL_MS);
    const now = readPresent(file);
    if (now?.text !== seen.text) return "replaced";
    if (now.beat !== seen.beat) return "held";
    looks = performance.now() - begunAt > SLOW_LOOK_MS ? 0 : looks + 1;
  }
  return "stale";
}

function describeSlowDisk(file: string, holder: Holder | null): Error {
  return new Error(
    `The disk of DATA_DIR is too slow: for ${WATCHED_UP_TO_MS / 60_000} minutes, reading ${file} has taken more than a ` +
      `second again and again. So it is unknown whether License Desk (${describe(holder)}) still uses it on another ` +
      "machine or in another container. Nothing was changed. Repair the disk and start again. If you are sure that it " +
      "has ended there, you can also delete that file.",
  );
}

function isAlive({ pid, birth }: Holder): boolean {
  return isProcessAlive(pid) && (birth === null || readProcessIdentity(pid) === birth);
}

/** Moves a dead process's lock aside, unless a live process has replaced it. */
function removeStaleLock(file: string, seen: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  try {
    if (readFileSync(aside, "utf8") !== seen) linkSync(aside, file);
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * Locks the folder until `release` or the end of this process.
 * @throws DataDirInUseError while another process holds the lock
 */
export async function lockDataDir(
  dataDir: string,
  log: (line: string) => void = () => undefined,
): Promise<DataDirLock> {
  const file = join(dataDir, "license-desk.lock");
  const birth = readProcessIdentity(process.pid);
  const mine: Holder = { id: randomUUID(), pid: process.pid, birth, host: hostname(), place: PLACE, url: null };
  while (!createPrivateJson(file, mine)) {
    const present = readPresent(file);
    if (!present) continue;
    const state = await judgeLock(file, present, log);
    if (state === "held") throw new DataDirInUseError(present.holder);
    if (state === "stale") removeStaleLock(file, present.text);
  }
  return holdLock(file, mine);
}

function holdLock(file: string, taken: Holder): DataDirLock {
  let mine = taken;
  const lost = Promise.withResolvers<Error>();
  const beat = async () => {
    const taker = await renew(file, mine);
    if (released) return;
    if (taker === null) return keepFilesOfPrograms();
    if (taker === "nobody") return void createPrivateJson(file, mine);
    clearInterval(timer);
    killPrograms();
    lost.resolve(new Error(`Another License Desk (${describe(taker)}) has taken this DATA_DIR: this one ends.`));
  };
  let released = false;
  let isBeating = false;
  // One at a time: while a network disk hangs, they would take all threads of the file system.
  const timer = setInterval(() => {
    if (isBeating) return;
    isBeating = true;
    void beat()
      .catch(() => undefined)
      .finally(() => {
        isBeating = false;
      });
  }, BEAT_MS).unref();
  return {
    lost: lost.promise,
    publishUrl(url) {
      mine = { ...mine, url };
      writePrivateJson(file, mine);
    },
    release() {
      released = true;
      clearInterval(timer);
      if (readPresent(file)?.holder?.id === mine.id) rmSync(file, { force: true });
    },
  };
}

/** Returns who else, or nobody, has the lock by now; null: it is renewed. Does not block: the folder may be on a network. */
async function renew(file: string, mine: Holder): Promise<Holder | "nobody" | null> {
  const handle = await open(file, "r").catch(nullIfAbsent);
  if (handle === null) return "nobody";
  try {
    const holder = parseHolder(await handle.readFile("utf8"));
    if (holder !== null && holder.id !== mine.id) return holder;
    await handle.utimes(new Date(), new Date());
    return null;
  } finally {
    await handle.close();
  }
}
