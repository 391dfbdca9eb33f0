/** Distinguishes a process from a later one with the same id. */
import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync, realpathSync } from "node:fs";

/** The process namespace outside of all containers. */
const HOST_NAMESPACE = "pid:[4026531836]";

function readLinuxFile(read: () => string): string {
  try {
    return read().trim();
  } catch {
    return "";
  }
}

/** Identifies where process ids are visible to this process: machine, its boot, and container. On Linux only. */
export const PLACE =
  process.platform === "linux"
    ? [
        readLinuxFile(() => readFileSync("/etc/machine-id", "utf8")),
        readLinuxFile(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
        readLinuxFile(() => readlinkSync("/proc/self/ns/pid")),
      ].join(" ")
    : process.platform;

/** Whether a process of that place may still run out of this one's sight. False after a restart of the machine. */
export function mayRunElsewhere(place: string): boolean {
  if (place === PLACE) return false;
  const [machine, , namespace] = PLACE.split(" ");
  const [otherMachine, , otherNamespace] = place.split(" ");
  const isSameMachine = machine !== "" && machine === otherMachine;
  // Containers of one image can have the same machine id.
  return !(isSameMachine && namespace === HOST_NAMESPACE && otherNamespace === HOST_NAMESPACE);
}

/** Empty on other systems than Linux. */
export function listChildren(pid: number): number[] {
  return readLinuxFile(() => readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8"))
    .split(" ")
    .filter(Boolean)
    .map(Number);
}

/** True while a process with this id exists, whoever owns it. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function runPs(pid: number, column: "lstart" | "command"): string {
  try {
    return execFileSync("ps", ["-ww", "-o", `${column}=`, "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return "";
  }
}

/** Identifies a process uniquely, even across restarts of the machine; null if the system does not provide it. */
export function readProcessIdentity(pid: number): string | null {
  switch (process.platform) {
    case "linux":
      try {
        const bootId = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        // The command in parentheses may contain spaces: count fields after it. Field 22 is the start time.
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        const [state, startTicks] = [fields[0], fields[19]];
        // A zombie is dead; its parent has not reaped it yet.
        return state === "Z" ? null : `${bootId}/${startTicks}`;
      } catch {
        return null;
      }
    case "win32":
      return null;
    default:
      return runPs(pid, "lstart") || null;
  }
}

/** Whether process `pid` is the PostgreSQL server of this cluster. */
export function isPostgresOf(pid: number, clusterDir: string): boolean {
  if (!isProcessAlive(pid)) return false;
  switch (process.platform) {
    case "linux":
      try {
        // Not its working directory, which others of its user cannot read if a unit has PrivateUsers.
        const args = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        const folder = args[args.indexOf("-D") + 1] ?? "";
        return args.includes("-D") && realpathSync(folder) === realpathSync(clusterDir);
      } catch {
        return false;
      }
    case "win32":
      try {
        const filter = `PID eq ${pid}`;
        return execFileSync("tasklist", ["/FI", filter, "/FO", "CSV", "/NH"], { encoding: "utf8" }).includes(
          "postgres",
        );
      } catch {
        return false;
      }
    default:
      return runPs(pid, "command").includes(clusterDir);
  }
}
