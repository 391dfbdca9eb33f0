import type { SearchParams } from "nuqs/server";

/** What Next gives a page. `Segment`: the dynamic segments of its address, by name. */
export interface PageProps<Segment extends string = never> {
  readonly params: Promise<{ readonly [Name in Segment]: string }>;
  readonly searchParams: Promise<SearchParams>;
}
