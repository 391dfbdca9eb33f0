import { setTimeout as sleep } from "node:timers/promises";
import { stopPrograms } from "#lib/embedded/programs.ts";
import { note } from "./output.ts";

/** Of Ctrl-C, of a supervisor, and of a terminal that is closed. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** For closing, and for the command to fail. */
const STEP_MS = 10_000;

const finish = (step: Promise<unknown>) => Promise.race([step.catch(() => undefined), sleep(STEP_MS)]);

/**
 * Runs a command. A signal stops the databases that it has started, so that it fails and removes its files, and ends the
 * process. A repeated signal has no effect: npm forwards the one that the terminal has already sent.
 * @param close what to close before the databases
 */
export async function endingOnSignal<Result>(
  message: string,
  run: () => Promise<Result>,
  close = async (): Promise<void> => {},
): Promise<Result> {
  let ended: Promise<never> | undefined;
  const end = async () => {
    note(message);
    await finish(close());
    if (await stopPrograms()) await finish(running);
    return process.exit(1);
  };
  const onSignal = () => {
    ended ??= end();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const running = run();
  try {
    return await running;
  } finally {
    // After a signal the process ends here, and the command reports no result.
    await ended;
    for (const signal of SIGNALS) process.removeListener(signal, onSignal);
  }
}
