"use client";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type ActionResult, requireValue } from "#lib/domain/action-result.ts";

/** Typing is over after so long without a key. */
const DEBOUNCE_MS = 150;

const NONE: readonly never[] = [];

/** A server action that finds what has this text. */
export type SearchAction<Item> = (text: string) => Promise<ActionResult<readonly Item[]>>;

export interface TypedSearch<Item> {
  /** Empty until there is an answer to the newest text. */
  readonly found: readonly Item[];
  readonly searching: boolean;
  readonly failed: boolean;
}

/**
 * Asks once typing has paused; the answer to something typed earlier is not shown for what is typed now.
 * @param name of what is searched, another for each kind
 * @param search null: nothing is searched for now
 */
export function useTypedSearch<Item>(name: string, search: SearchAction<Item> | null, text: string): TypedSearch<Item> {
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const wanted = search !== null;
  const { data, isFetching, isError } = useQuery({
    queryKey: [name, asked],
    queryFn: async () => (search === null ? [] : requireValue(await search(asked))),
    enabled: wanted && asked === text,
    retry: false,
  });
  const searching = wanted && (isFetching || asked !== text);
  return { found: wanted && !searching ? (data ?? NONE) : NONE, searching, failed: wanted && !searching && isError };
}
