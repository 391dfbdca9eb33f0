"use client";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

/** Typing is over after so long without a key. */
const DEBOUNCE_MS = 150;

export interface TypedSearch<Item> {
  /** Empty until there is an answer to the newest text. */
  readonly found: readonly Item[];
  readonly searching: boolean;
  readonly failed: boolean;
}

/**
 * Asks once typing has paused; the answer to something typed earlier is not shown for what is typed now.
 * @param name of what is searched, another for each kind
 * @param search a server action that throws when it has no answer; null: nothing is searched for now
 */
export function useTypedSearch<Item>(
  name: string,
  search: ((text: string) => Promise<readonly Item[]>) | null,
  text: string,
): TypedSearch<Item> {
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const wanted = search !== null;
  const { data, isFetching, isError } = useQuery({
    queryKey: [name, asked],
    queryFn: () => search?.(asked) ?? [],
    enabled: wanted && asked === text,
    retry: false,
  });
  const searching = wanted && (isFetching || asked !== text);
  return { found: wanted && !searching ? (data ?? []) : [], searching, failed: wanted && !searching && isError };
}
