"use client";
import { WifiOff } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import { connection } from "#components/form/connection.ts";
import { ModeBanner } from "./mode-banner.tsx";

/** While the server cannot be reached. Links wait: following one would leave what has been typed. */
export function ConnectionNotice() {
  const lost = useSyncExternalStore(connection.subscribe, connection.isLost, () => false);

  useEffect(() => {
    if (!lost) return;
    function onClick(event: MouseEvent) {
      const link = event.target instanceof Element ? event.target.closest("a[href]:not([href^='#'])") : null;
      if (link === null) return;
      event.preventDefault();
      event.stopPropagation();
    }
    document.addEventListener("click", onClick, { capture: true });
    return () => document.removeEventListener("click", onClick, { capture: true });
  }, [lost]);

  return (
    <div role="status">
      {lost && (
        <ModeBanner icon={WifiOff} label="No connection">
          <strong className="font-semibold">No connection.</strong> Retrying. This page and what you have typed stay as
          they are.
        </ModeBanner>
      )}
    </div>
  );
}
