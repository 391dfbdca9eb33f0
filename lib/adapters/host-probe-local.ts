import { statfs } from "node:fs/promises";
import { availableParallelism, hostname, release, totalmem, type, uptime, version } from "node:os";
import type { HostProbe } from "#lib/ports/host-probe.ts";

/** The machine that this process runs on. */
export const localHostProbe: HostProbe = {
  async read() {
    const disk = await statfs(process.platform === "win32" ? "C:\\" : "/");
    return {
      hostname: hostname(),
      os: process.platform === "linux" ? `${type()} ${version().split(" ").slice(0, 2).join(" ")}`.trim() : version(),
      kernel: release(),
      cpuCores: availableParallelism(),
      memoryBytes: totalmem(),
      diskFreeBytes: disk.bavail * disk.bsize,
      uptimeSeconds: uptime(),
    };
  },
};
