"use client";
import { useRouter } from "next/navigation";
import type { ReactNode, SyntheticEvent } from "react";

/** Row links do not prefetch by themselves: fifty in view would be fifty requests. The one that is pointed at does. */
export function PrefetchOnIntent({ children }: { readonly children: ReactNode }) {
  const router = useRouter();

  function prefetch({ target }: SyntheticEvent) {
    if (!(target instanceof Element)) return;
    const href = target.closest('[role="row"]')?.querySelector("[data-row-link]")?.getAttribute("href");
    if (href) router.prefetch(href);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens for what happens to the rows inside, is nothing itself
    <div onFocus={prefetch} onMouseOver={prefetch}>
      {children}
    </div>
  );
}
