"use client";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";

export interface TypedSearch {
  /** Ahead of the address while the list is fetched. */
  readonly text: string;
  /** Changes when the address says something that was not typed here (back, "clear"): the input then starts anew. */
  readonly version: number;
  readonly pending: boolean;
  /** Goes to the list with this text. */
  readonly search: (text: string, href: string) => void;
}

/** @param q what the address says */
export function useTypedSearch(q: string): TypedSearch {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const [typed, setTyped] = useState({ q, version: 0 });
  if (!pending && typed.q !== q) setTyped({ q, version: typed.version + 1 });

  function search(text: string, href: string) {
    if (text === typed.q) return;
    setTyped((before) => ({ ...before, q: text }));
    startTransition(() => router.replace(href, { scroll: false }));
  }
  return { text: typed.q, version: typed.version, pending, search };
}
