import type { Metadata } from "next";

/**
 * The `generateMetadata` of a page about one object. Where `find` refuses, as the page itself then does, the title is
 * `kind` alone. `find` reads once for both (`cache`).
 */
export function objectTitle<Params, Found>(
  find: (params: Params) => Promise<Found>,
  titleOf: (found: Found) => string,
  kind: string,
) {
  return async ({ params }: { readonly params: Promise<Params> }): Promise<Metadata> => ({
    title: await params.then(find).then(titleOf, () => kind),
  });
}
