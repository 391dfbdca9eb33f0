#!/usr/bin/env node
import process from "node:process";
import { runCli } from "./cli-run.ts";

// A reader such as `head` may leave early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

/** Ctrl+C, and a program that limits the time. */
const INTERRUPTIONS = ["SIGINT", "SIGTERM"] as const;

const { env, stdin, stdout, stderr } = process;
process.exitCode = await runCli(process.argv.slice(2), {
  env,
  input: stdin,
  output: stdout,
  errors: stderr,
  isTerminal: stdin.isTTY === true,
  onInterrupt(listener) {
    for (const signal of INTERRUPTIONS) process.once(signal, listener);
    return () => {
      for (const signal of INTERRUPTIONS) process.off(signal, listener);
    };
  },
});
