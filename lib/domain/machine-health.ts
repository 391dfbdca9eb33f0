/** The disk under a folder that License Desk writes to. */
export interface Disk {
  readonly folder: string;
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export interface MachineState {
  readonly disks: readonly Disk[];
  /** Folders on a mount that hangs. */
  readonly silentFolders: readonly string[];
  /** Positive: ahead of the database's clock. */
  readonly clockOffsetMs: number;
}

const GIB = 2 ** 30;
const MIN_FREE_BYTES = 2 ** 29;
const MIN_FREE_SHARE = 0.1;
/** Webhooks and signatures are dated: receivers tolerate minutes, and several machines disagree by twice this. */
export const MAX_CLOCK_OFFSET_MS = 2_000;
const NOTABLE_CLOCK_OFFSET_MS = 500;

type Level = "ok" | "warning" | "failed";

export function judgeDisk({ freeBytes, totalBytes }: Disk): Level {
  if (freeBytes < MIN_FREE_BYTES) return "failed";
  return freeBytes / totalBytes < MIN_FREE_SHARE ? "warning" : "ok";
}

/** "0.4 GiB of 20.0 GiB are free" */
export function diskText({ freeBytes, totalBytes }: Disk): string {
  return `${(freeBytes / GIB).toFixed(1)} GiB of ${(totalBytes / GIB).toFixed(1)} GiB are free`;
}

export function judgeClock(offsetMs: number): Level {
  if (Math.abs(offsetMs) > MAX_CLOCK_OFFSET_MS) return "failed";
  return Math.abs(offsetMs) > NOTABLE_CLOCK_OFFSET_MS ? "warning" : "ok";
}

/** "700 ms ahead of the database's" */
export function clockText(offsetMs: number): string {
  return `${Math.abs(offsetMs)} ms ${offsetMs < 0 ? "behind" : "ahead of"} the database's`;
}
