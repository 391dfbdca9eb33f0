/** The running PostgreSQL programs of this process. They outlive it, unless it stops them. */

type Stop = () => Promise<void>;

const stops = new Set<Stop>();
let isEnding = false;

/** @throws after `stopPrograms` */
export function requireNotEnding(): void {
  if (isEnding) throw new Error("This process is ending.");
}

/** @param stop called by `stopPrograms` if the program has not exited */
export function trackProgram(exited: Promise<unknown>, stop: Stop): void {
  stops.add(stop);
  const remove = () => void stops.delete(stop);
  exited.then(remove, remove);
}

/** Stops all of them, before the process ends. No other can be started. Returns false if none was running. */
export async function stopPrograms(): Promise<boolean> {
  isEnding = true;
  const stopped = await Promise.allSettled([...stops].map((stop) => stop()));
  return stopped.length > 0;
}
