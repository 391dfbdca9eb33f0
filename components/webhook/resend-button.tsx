"use client";
import { Repeat } from "lucide-react";
import type { resend } from "#app/(dashboard)/webhooks/actions.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useRefresh } from "#components/ui/use-refresh.ts";

export interface ResendButtonProps {
  /** Decimal text. */
  readonly deliveryId: string;
  readonly resend: typeof resend;
}

/** Costs nothing and can be done again: not asked twice. */
export function ResendButton({ deliveryId, resend }: ResendButtonProps) {
  const refresh = useRefresh();
  const { pending, send } = useSubmission(
    resend,
    () => {
      toast({ title: "Resending", tone: "positive" });
      refresh();
    },
    { notDone: "Not resent" },
  );
  return (
    <Button
      icon={<Repeat />}
      loading={pending}
      onClick={() => void send({ delivery_id: deliveryId })}
      variant="primary"
    >
      Resend
    </Button>
  );
}
