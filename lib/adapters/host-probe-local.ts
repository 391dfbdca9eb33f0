import type { StatsFs } from "node:fs";
import { readFile, statfs } from "node:fs/promises";
import { availableParallelism, hostname, release, totalmem, type, uptime } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Disk } from "#lib/domain/machine-health.ts";
import { readPrettyName } from "#lib/domain/os-release.ts";
import type { HostProbe } from "#lib/ports/host-probe.ts";

const DISK_TIMEOUT_MS = 2_000;
const OS_RELEASE_FILES = ["/etc/os-release", "/usr/lib/os-release"];

interface Site {
  /** Written to; those that do not exist are left out. */
  readonly folders: readonly string[];
  readonly readClockOffsetMs: () => number;
}

/** The machine of this process. */
export const createLocalHostProbe = ({ folders, readClockOffsetMs }: Site): HostProbe => ({
  async readState() {
    const found = await Promise.allSettled(folders.map(readDisk));
    return {
      disks: found.flatMap((disk) => (disk.status === "fulfilled" ? [disk.value] : [])),
      silentFolders: folders.filter((_, index) => isSilent(found[index])),
      clockOffsetMs: Math.round(readClockOffsetMs()),
    };
  },

  async read() {
    const disk = await statfs(process.platform === "win32" ? "C:\\" : "/");
    return {
      hostname: hostname(),
      os: await readSystemName(),
      kernel: release(),
      cpuCores: availableParallelism(),
      memoryBytes: totalmem(),
      diskFreeBytes: disk.bavail * disk.bsize,
      uptimeSeconds: uptime(),
    };
  },
});

/** A mount that hangs neither answers nor fails. */
class SilentFolderError extends Error {
  override readonly name = "SilentFolderError";
}

const isSilent = (result: PromiseSettledResult<Disk> | undefined) =>
  result?.status === "rejected" && result.reason instanceof SilentFolderError;

/** One call for each folder, however many wait for it: each occupies a thread of this process until it returns. */
const pending = new Map<string, Promise<StatsFs>>();

function readFileSystem(folder: string): Promise<StatsFs> {
  const present = pending.get(folder);
  if (present) return present;
  const reading = statfs(/* turbopackIgnore: true */ folder).finally(() => pending.delete(folder));
  pending.set(folder, reading);
  return reading;
}

/** @throws if there is no such folder, or it does not answer within 2 seconds */
export async function readDisk(folder: string): Promise<Disk> {
  const found = await Promise.race([readFileSystem(folder), sleep(DISK_TIMEOUT_MS, null, { ref: false })]);
  if (found === null) throw new SilentFolderError(`${folder} does not answer`);
  const { bavail, bsize, blocks } = found;
  return { folder, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** The distribution if there is one, else the system's name and release (contract 2.5). */
async function readSystemName(): Promise<string> {
  for (const file of OS_RELEASE_FILES) {
    const text = await readFile(/* turbopackIgnore: true */ file, "utf8").catch(() => null);
    if (text !== null) return readPrettyName(text) ?? `${type()} ${release()}`;
  }
  return `${type()} ${release()}`;
}
