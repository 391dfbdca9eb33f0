import { readFile, statfs } from "node:fs/promises";
import { availableParallelism, hostname, release, totalmem, type, uptime } from "node:os";
import { readPrettyName } from "#lib/domain/os-release.ts";
import type { HostProbe } from "#lib/ports/host-probe.ts";

const OS_RELEASE_FILES = ["/etc/os-release", "/usr/lib/os-release"];

/** The machine of this process. */
export const localHostProbe: HostProbe = {
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
};

/** The distribution if there is one, else the system's name and release (contract 2.5). */
async function readSystemName(): Promise<string> {
  for (const file of OS_RELEASE_FILES) {
    const text = await readFile(/* turbopackIgnore: true */ file, "utf8").catch(() => null);
    if (text !== null) return readPrettyName(text) ?? `${type()} ${release()}`;
  }
  return `${type()} ${release()}`;
}
