"use client";
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { signInRequests } from "#components/form/send-signed-in.ts";
import type { SignInDialogProps } from "./sign-in-dialog.tsx";

const SignInDialog = lazy(() => import("./sign-in-dialog.tsx"));
const CHANNEL = "license-desk-owner";

/**
 * Shown above the page when its session has ended, as what was being sent turned out, or belongs to another owner, as
 * another tab says. Its code comes when it is needed.
 */
export function SignInAgain(props: Omit<SignInDialogProps, "isOther">) {
  const { owner } = props;
  const { subscribe, current, onServer } = signInRequests;
  const isAsked = useSyncExternalStore(subscribe, current, onServer).length > 0;
  const [isOther, setIsOther] = useState(false);

  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }) => setIsOther(data !== owner);
    channel.postMessage(owner);
    return () => channel.close();
  }, [owner]);

  return (
    (isAsked || isOther) && (
      <Suspense fallback={null}>
        <SignInDialog {...props} isOther={isOther} />
      </Suspense>
    )
  );
}
