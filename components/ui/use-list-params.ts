"use client";
import { usePathname } from "next/navigation";
import {
  createLoader,
  createSerializer,
  type Nullable,
  type Options,
  type ParserMap,
  useQueryStates,
  type Values,
} from "nuqs";
import { useEffect, useTransition } from "react";

const FIRST_PAGE: object = { before: null, after: null };

/**
 * The filters of a list, which its URL holds.
 * @param params always the same object
 */
export function useListParams<Params extends ParserMap>(params: Params) {
  const pathname = usePathname();
  const [pending, startTransition] = useTransition();
  const [values, setValues] = useQueryStates(params, { history: "push", shallow: false, startTransition });

  // A link to the same list counts at once: text typed before the list arrives then searches without the old filters.
  const searchable = "q" in params;
  useEffect(() => {
    if (!searchable) return;
    const load = createLoader(params);
    function onClick(event: MouseEvent) {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (link?.pathname !== pathname || link.rel !== "" || link.hash !== "") return;
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      void setValues(load(link.search), { scroll: link.closest("main") === null });
    }
    document.addEventListener("click", onClick, { capture: true });
    return () => document.removeEventListener("click", onClick, { capture: true });
  }, [params, pathname, searchable, setValues]);

  return {
    values,
    /** The list for `values` is on its way. */
    pending,
    /** Another filter begins at the first page. */
    change: (change: Partial<Nullable<Values<Params>>>, options?: Options) =>
      void setValues({ ...FIRST_PAGE, ...change }, options),
    hrefWith: (change: Partial<Nullable<Values<Params>>>) =>
      createSerializer<ParserMap>(params)(pathname, { ...values, ...FIRST_PAGE, ...change }),
  };
}
