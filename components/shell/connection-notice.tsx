"use client";
import { WifiOff } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import { ModeBanner } from "./mode-banner.tsx";

function subscribe(onChange: () => void): () => void {
  window.addEventListener("online", onChange);
  window.addEventListener("offline", onChange);
  return () => {
    window.removeEventListener("online", onChange);
    window.removeEventListener("offline", onChange);
  };
}

/** While the browser has no connection. Links wait: following one would replace the page by the browser's own error. */
export function ConnectionNotice() {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );

  useEffect(() => {
    if (online) return;
    function onClick(event: MouseEvent) {
      const link = event.target instanceof Element ? event.target.closest("a[href]:not([href^='#'])") : null;
      if (link === null) return;
      event.preventDefault();
      event.stopPropagation();
    }
    document.addEventListener("click", onClick, { capture: true });
    return () => document.removeEventListener("click", onClick, { capture: true });
  }, [online]);

  return (
    <div role="status">
      {!online && (
        <ModeBanner icon={WifiOff} label="No connection">
          <strong className="font-semibold">No connection.</strong> This page stays as it is. Links and changes work
          again once you are online.
        </ModeBanner>
      )}
    </div>
  );
}
