import { setFlagsFromString } from "node:v8";

/** Configures V8's heap for a server. Must run first. */
export function configureHeap(): void {
  // Objects start in the young generation. By default, V8 learns from a few large responses that rows live long and
  // allocates them in the old generation, which multiplies the memory of streaming a large list.
  setFlagsFromString("--no-allocation-site-pretenuring");
  // Collects the young generation on the main thread. There are few survivors, and waiting for a helper thread on a
  // busy machine delays every request.
  setFlagsFromString("--no-parallel-scavenge");
  // By default, V8 collects the old generation more often the less a process has allocated lately: twice in the first
  // second of a load after a few quiet ones. A fixed factor of three is less than what it grants under a steady load.
  setFlagsFromString("--heap-growing-percent=200");
}
