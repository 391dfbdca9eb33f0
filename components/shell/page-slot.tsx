"use client";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { onNavigationStart } from "#components/ui/navigation-start.ts";
import { PageSkeleton } from "#components/ui/page-skeleton.tsx";

/** Most pages are there before this: the old one stays until then, and nothing flickers. */
const SKELETON_AFTER_MS = 300;

/** Where pages are shown. One that takes its time has a skeleton stand in for it. */
export function PageSlot({ children }: { readonly children: ReactNode }) {
  const isComing = useComingPage();
  return (
    <>
      {isComing && <PageSkeleton />}
      {/* Kept while hidden: what was typed there is not lost when the navigation comes to nothing. */}
      <div className={isComing ? "hidden" : "contents"}>{children}</div>
    </>
  );
}

/** Whether another page has been on its way for a while. */
function useComingPage(): boolean {
  const pathname = usePathname();
  const [comingFrom, setComingFrom] = useState<string | null>(null);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stopListening = onNavigationStart(({ returns }) => {
      if (returns) return;
      clearTimeout(timer);
      timer = setTimeout(() => setComingFrom(pathname), SKELETON_AFTER_MS);
    });
    const arrived = () => {
      clearTimeout(timer);
      setComingFrom(null);
    };
    // A navigation that leads back to the same address changes no path, but writes the history all the same.
    const { navigation } = window;
    navigation?.addEventListener("currententrychange", arrived);
    return () => {
      clearTimeout(timer);
      stopListening();
      navigation?.removeEventListener("currententrychange", arrived);
    };
  }, [pathname]);

  return comingFrom === pathname;
}
