"use client";
import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { restoreDraft } from "./draft.ts";
import { watchOpeners } from "./draft-opener.ts";

/** For the frame of all pages: what was filled in when a session ended is filled in again on its page. */
export function useDrafts(): void {
  const pathname = usePathname();
  useEffect(watchOpeners, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page may be the draft's
  useEffect(restoreDraft, [pathname]);
}
