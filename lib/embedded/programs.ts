/** The PostgreSQL programs that this process started. They outlive it unless it stops them. */

interface Program {
  stop(): Promise<void>;
  /** Ends it without another write. */
  kill(): void;
  /** Restores those of its files that another process has deleted. */
  keepFiles?(): Promise<void>;
}

const programs = new Set<Program>();
let isEnding = false;
let haveLostFiles = false;

/** @throws after `stopPrograms` */
export function requireNotEnding(): void {
  if (isEnding) throw new Error("This process is ending.");
}

/** Stops or kills `program` with the others, until it has exited. */
export function trackProgram(exited: Promise<unknown>, program: Program): void {
  programs.add(program);
  const remove = () => void programs.delete(program);
  exited.then(remove, remove);
}

/** For the end of the process: stops all programs and rejects new ones. Returns false if none was running. */
export async function stopPrograms(): Promise<boolean> {
  isEnding = true;
  const stopped = await Promise.allSettled([...programs].map((program) => program.stop()));
  return stopped.length > 0;
}

export async function keepFilesOfPrograms(): Promise<void> {
  for (const program of programs) await program.keepFiles?.();
}

/** After another process has taken their files: kills all programs and rejects new ones. */
export function killPrograms(): void {
  isEnding = true;
  haveLostFiles = true;
  for (const program of programs) program.kill();
}

/** Whether the programs' files still belong to this process. */
export const ownsFiles = () => !haveLostFiles;
