/** Tells one process from a later one that was given the same number. */
import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync, realpathSync } from "node:fs";

/** True while a process of that number exists, whoever owns it. */
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

/**
 * A text that a process keeps for life and that no other process has, before or after a restart of the machine;
 * null where the system does not tell.
 */
export function processBirth(pid: number): string | null {
  switch (process.platform) {
    case "linux":
      try {
        const bootId = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        // The command's name, in parentheses, may hold spaces: count fields behind it. Field 22 is the start time.
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        const [state, startTicks] = [fields[0], fields[19]];
        // A zombie is dead; only its parent has not heard.
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

/** Whether process `pid` is a PostgreSQL server of this very cluster folder. */
export function isPostgresOf(pid: number, clusterDir: string): boolean {
  if (!isProcessAlive(pid)) return false;
  switch (process.platform) {
    case "linux":
      try {
        // The server changes to its cluster folder and stays there.
        return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(clusterDir);
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
