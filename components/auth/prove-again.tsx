"use client";
import { proofRequests } from "#components/form/send-signed-in.ts";
import { loadDialog } from "#components/ui/load-dialog.tsx";
import type { ProveDialogProps } from "./prove-dialog.tsx";

const ProveDialog = loadDialog(() => import("./prove-dialog.tsx"));

/** Shown above the page when a sensitive action asks for a recent proof of who the user is. */
export function ProveAgain(props: ProveDialogProps) {
  const isAsked = proofRequests.useIsAsked();
  return isAsked && <ProveDialog onGiveUp={() => proofRequests.settle(false)} props={props} />;
}
