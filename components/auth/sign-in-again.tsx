"use client";
import { lazy, Suspense, useSyncExternalStore } from "react";
import { signInRequests } from "#components/form/send-signed-in.ts";
import type { SignInDialogProps } from "./sign-in-dialog.tsx";

const SignInDialog = lazy(() => import("./sign-in-dialog.tsx"));

/** Shown above whatever was being sent when the session turned out to have ended; its code comes when it is needed. */
export function SignInAgain(props: SignInDialogProps) {
  const { subscribe, current, onServer } = signInRequests;
  const isAsked = useSyncExternalStore(subscribe, current, onServer).length > 0;
  return (
    isAsked && (
      <Suspense fallback={null}>
        <SignInDialog {...props} />
      </Suspense>
    )
  );
}
