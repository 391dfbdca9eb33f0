"use client";
import { useEffect, useState } from "react";
import { signInRequests } from "#components/form/send-signed-in.ts";
import { loadDialog } from "#components/ui/load-dialog.tsx";
import { OWNER_CHANNEL } from "./leave.ts";
import type { SignInDialogProps } from "./sign-in-dialog.tsx";

const SignInDialog = loadDialog(() => import("./sign-in-dialog.tsx"));

/**
 * Shown above the page when its session has ended, as what was being sent turned out, or belongs to another owner, as
 * another tab says, or nobody any more. Its code comes when it is needed.
 */
export function SignInAgain(props: Omit<SignInDialogProps, "isOther">) {
  const { owner } = props;
  const isAsked = signInRequests.useIsAsked();
  const [isOther, setIsOther] = useState(false);

  useEffect(() => {
    const channel = new BroadcastChannel(OWNER_CHANNEL);
    channel.onmessage = ({ data }) => {
      // What the page shows once, or what was typed, stays while nobody else has signed in.
      if (data === null) void signInRequests.ask();
      else setIsOther(data !== owner);
    };
    channel.postMessage(owner);
    return () => channel.close();
  }, [owner]);

  return (
    (isAsked || isOther) && <SignInDialog onGiveUp={() => signInRequests.settle(false)} props={{ ...props, isOther }} />
  );
}
