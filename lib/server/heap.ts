import { setFlagsFromString } from "node:v8";

/** How V8 keeps a server's heap. Before anything else runs. */
export function configureHeap(): void {
  // Every object begins its life in the young generation. Left alone, V8 learns from a few large answers that rows live
  // long and makes them in the old generation at once, where what nobody needs any more stays until all of it is
  // collected: streaming 800,000 licenses then took 210 MB instead of 60.
  setFlagsFromString("--no-allocation-site-pretenuring");
  // The young generation is collected by the main thread alone. Its few survivors are no work for two, and a helper
  // that waits for a processor makes every request wait: one collection in ten took 3 ms instead of 0.5.
  setFlagsFromString("--no-parallel-scavenge");
}
