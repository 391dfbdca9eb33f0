"use client";
import { lazy, Suspense, useSyncExternalStore } from "react";
import { proofRequests } from "#components/form/send-signed-in.ts";
import type { ProveDialogProps } from "./prove-dialog.tsx";

const ProveDialog = lazy(() => import("./prove-dialog.tsx"));

/** Shown above the page when a sensitive action asks for a recent proof of who the user is. */
export function ProveAgain(props: ProveDialogProps) {
  const { subscribe, current, onServer } = proofRequests;
  const isAsked = useSyncExternalStore(subscribe, current, onServer).length > 0;
  return (
    isAsked && (
      <Suspense fallback={null}>
        <ProveDialog {...props} />
      </Suspense>
    )
  );
}
