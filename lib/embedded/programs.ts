/** The running PostgreSQL programs of this process. They outlive it, unless it stops them. */

interface Program {
  stop(): Promise<void>;
  /** At once, without writing anything more. */
  kill(): void;
  /** Writes again what another process has deleted of its files. */
  keepFiles?(): Promise<void>;
}

const programs = new Set<Program>();
let isEnding = false;
let haveLostFiles = false;

/** @throws after `stopPrograms` */
export function requireNotEnding(): void {
  if (isEnding) throw new Error("This process is ending.");
}

/** @param program its `stop` and `kill` are called as long as it has not exited */
export function trackProgram(exited: Promise<unknown>, program: Program): void {
  programs.add(program);
  const remove = () => void programs.delete(program);
  exited.then(remove, remove);
}

/** Stops all of them, before the process ends. No other can be started. Returns false if none was running. */
export async function stopPrograms(): Promise<boolean> {
  isEnding = true;
  const stopped = await Promise.allSettled([...programs].map((program) => program.stop()));
  return stopped.length > 0;
}

export async function keepFilesOfPrograms(): Promise<void> {
  for (const program of programs) await program.keepFiles?.();
}

/** Their files belong to another process now. No other can be started. */
export function killPrograms(): void {
  isEnding = true;
  haveLostFiles = true;
  for (const program of programs) program.kill();
}

/** Whether their files still belong to this process. */
export const ownsFiles = () => !haveLostFiles;
