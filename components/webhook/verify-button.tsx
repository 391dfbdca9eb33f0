"use client";
import { ShieldCheck } from "lucide-react";
import type { verify } from "#app/(dashboard)/webhooks/actions.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useRefresh } from "#components/ui/use-refresh.ts";

export interface VerifyButtonProps {
  readonly endpointId: number;
  readonly verify: typeof verify;
  /** It gets a code. */
  readonly isChat: boolean;
  /** A code is awaited, so sending another one is not what to do now. */
  readonly isAwaited: boolean;
}

/** Sends a pending endpoint a new challenge. */
export function VerifyButton({ endpointId, verify, isChat, isAwaited }: VerifyButtonProps) {
  const refresh = useRefresh();
  const { pending, send } = useSubmission(
    verify,
    () => {
      toast({ title: isChat ? "Code sent" : "Challenge sent", tone: "positive" });
      refresh();
    },
    { notDone: isChat ? "No code sent" : "No challenge sent" },
  );
  return (
    <Button
      icon={<ShieldCheck />}
      loading={pending}
      onClick={() => void send({ endpoint_id: endpointId })}
      variant={isChat && isAwaited ? "secondary" : "primary"}
    >
      {isChat ? "Send new code" : "Verify again"}
    </Button>
  );
}
