/** The part of autocannon that the benchmarks use; it has no types of its own. */
declare module "autocannon" {
  interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    readonly requests: readonly {
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }[];
  }
  interface Result {
    readonly requests: { readonly total: number };
    /** Seconds. */
    readonly duration: number;
    /** Milliseconds. */
    readonly latency: { readonly p50: number; readonly p99: number };
    readonly non2xx: number;
    readonly errors: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
