import { readFile, statfs } from "node:fs/promises";
import { availableParallelism, hostname, release, totalmem, type, uptime } from "node:os";
import type { Disk } from "#lib/domain/machine-health.ts";
import { readPrettyName } from "#lib/domain/os-release.ts";
import type { HostProbe } from "#lib/ports/host-probe.ts";

const OS_RELEASE_FILES = ["/etc/os-release", "/usr/lib/os-release"];

interface Site {
  /** Written to; those that do not exist are left out. */
  readonly folders: readonly string[];
  readonly readClockOffsetMs: () => number;
}

/** The machine of this process. */
export const createLocalHostProbe = ({ folders, readClockOffsetMs }: Site): HostProbe => ({
  async readState() {
    const disks = await Promise.all(folders.map((folder) => readDisk(folder).catch(() => null)));
    return { disks: disks.filter((disk) => disk !== null), clockOffsetMs: Math.round(readClockOffsetMs()) };
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

/** @throws if there is no such folder */
export async function readDisk(folder: string): Promise<Disk> {
  const { bavail, bsize, blocks } = await statfs(/* turbopackIgnore: true */ folder);
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
