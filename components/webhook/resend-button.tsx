"use client";
import { Repeat } from "lucide-react";
import { useRouter } from "next/navigation";
import type { resend } from "#app/(dashboard)/webhooks/actions.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast-store.ts";

export interface ResendButtonProps {
  /** Decimal text. */
  readonly deliveryId: string;
  readonly resend: typeof resend;
}

/** Costs nothing and can be done again: not asked twice. */
export function ResendButton({ deliveryId, resend }: ResendButtonProps) {
  const router = useRouter();
  const { pending, send } = useSubmission(
    resend,
    () => {
      toast({ title: "Resending", tone: "positive" });
      router.refresh();
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
