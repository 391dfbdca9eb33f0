import { readFileSync } from "node:fs";

/** What a process holds, in MB. */
export interface Memory {
  /** Of JavaScript, after a collection. */
  readonly kept: number;
  /** Resident memory that is no JavaScript heap: buffers, native libraries, threads' stacks. */
  readonly native: number;
}

const BYTES_PER_MB = 2 ** 20;
const KB_PER_MB = 2 ** 10;

/**
 * Asks a process started with `--inspect=127.0.0.1:0` what it holds. Resident memory alone would also show heap that
 * V8 has not collected yet, which differs by 100 MB between two moments.
 */
export async function readMemory(pid: number, logFile: string): Promise<Memory> {
  const address = /Debugger listening on (ws:\S+)/.exec(readFileSync(logFile, "utf8"))?.[1];
  if (address === undefined) throw new Error("the server has no inspector");
  const inspector = new WebSocket(address);
  const next = (type: string) =>
    new Promise<MessageEvent>((resolve, reject) => {
      inspector.addEventListener(type, (event) => resolve(event as MessageEvent), { once: true });
      inspector.addEventListener("error", () => reject(new Error("the inspector is gone")), { once: true });
    });
  const ask = async (method: string) => {
    const answer = next("message");
    inspector.send(JSON.stringify({ id: 1, method }));
    return JSON.parse(String((await answer).data)).result;
  };
  await next("open");
  try {
    await ask("HeapProfiler.collectGarbage");
    const heap: { usedSize: number; totalSize: number } = await ask("Runtime.getHeapUsage");
    return {
      kept: Math.round(heap.usedSize / BYTES_PER_MB),
      native: Math.round(residentMb(pid) - heap.totalSize / BYTES_PER_MB),
    };
  } finally {
    inspector.close();
  }
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / KB_PER_MB;
}
