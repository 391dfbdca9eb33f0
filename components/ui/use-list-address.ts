"use client";
import { usePathname, useRouter } from "next/navigation";
import { useEffect, useRef, useState, useTransition } from "react";
import { ask, changeQuery, type QueryChange, searchedText, settle } from "./wanted-query.ts";

export interface ListAddress {
  /** What is searched for, ahead of the address while the list is fetched. */
  readonly text: string;
  /** Changes when the text becomes another than what was typed (back, "Clear"): the input then starts anew. */
  readonly version: number;
  readonly pending: boolean;
  /** The newest question with this changed. */
  readonly hrefWith: (change: QueryChange) => string;
  /** Goes there; whatever was asked before and has not been answered is part of it. */
  readonly search: (text: string) => void;
  readonly change: (change: QueryChange) => void;
  /** In place of a link's own way: `href` as `hrefWith` has made it, or the list without any filter. */
  readonly follow: (href: string) => void;
}

/**
 * A list whose filters are in its address.
 * @param names of the filters, always the same array
 * @param shown what the address says of them now
 */
export function useListAddress(names: readonly string[], shown: QueryChange): ListAddress {
  const router = useRouter();
  const pathname = usePathname();
  const [pending, startTransition] = useTransition();
  const shownQuery = changeQuery("", shown);
  const [stored, setWanted] = useState({ query: shownQuery, version: 0 });
  const wanted = settle(stored, shownQuery, pending);
  if (wanted !== stored) setWanted(wanted);
  // What is typed is asked for a moment later, by a function of an earlier rendering.
  const newestRef = useRef(wanted.query);
  useEffect(() => {
    newestRef.current = wanted.query;
  }, [wanted.query]);
  // Links of other parts of the page lead to this list as well: what is typed until it comes is typed there.
  useEffect(() => {
    function onClick({ target, ctrlKey, metaKey, shiftKey }: MouseEvent) {
      const link = target instanceof Element ? target.closest("a") : null;
      if (link?.pathname !== pathname || ctrlKey || metaKey || shiftKey) return;
      const asked = new URLSearchParams(link.search);
      newestRef.current = changeQuery("", Object.fromEntries(names.map((name) => [name, asked.get(name)])));
    }
    document.addEventListener("click", onClick, { capture: true });
    return () => document.removeEventListener("click", onClick, { capture: true });
  }, [pathname, names]);

  const hrefOf = (query: string) => (query === "" ? pathname : `${pathname}?${query}`);

  function go(query: string, how: "push" | "replace", anew = false) {
    if (query === wanted.query && query === newestRef.current && !anew) return;
    newestRef.current = query;
    setWanted((before) => ask(before, query, { anew }));
    startTransition(() => router[how](hrefOf(query), { scroll: false }));
  }

  return {
    text: searchedText(wanted.query),
    version: wanted.version,
    pending,
    hrefWith: (change) => hrefOf(changeQuery(wanted.query, change)),
    search: (text) => go(changeQuery(newestRef.current, { q: text }), "replace"),
    change: (change) => go(changeQuery(newestRef.current, change), "push"),
    follow: (href) => {
      const query = href.slice(pathname.length + 1);
      go(query, "push", query === "");
    },
  };
}
