"use client";
import { Link2, RotateCw } from "lucide-react";
import { useState } from "react";
import { ConfirmChange, ConfirmReveal } from "#components/form/confirm-form.tsx";
import { ShownOnce } from "#components/form/shown-once.tsx";
import { Banner } from "#components/ui/banner.tsx";
import { Button } from "#components/ui/button.tsx";
import { CopyText } from "#components/ui/copy-text.tsx";
import type { MailRow } from "#lib/services/mail/outbox.ts";
import type { MailActions } from "./mail.ts";

export interface MailButtonsProps extends MailActions {
  readonly mail: Pick<MailRow, "id" | "state" | "recipient" | "userName">;
  /** Its link is a secret that can be handed over. */
  readonly hasLink: boolean;
  readonly hasServer: boolean;
}

export function MailButtons({ mail, hasLink, hasServer, retry, showLink }: MailButtonsProps) {
  const [asked, setAsked] = useState<"retry" | "link" | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      {hasLink && (
        <Button icon={<Link2 className="size-4" />} onClick={() => setAsked("link")}>
          Show link
        </Button>
      )}
      {hasServer && mail.state !== "sent" && (
        <Button icon={<RotateCw className="size-4" />} onClick={() => setAsked("retry")} variant="primary">
          Send again
        </Button>
      )}
      {asked === "retry" && (
        <ConfirmChange
          action={retry}
          confirmLabel="Send again"
          description={`The message goes to ${mail.recipient}, with retries for a day.`}
          done="The message is on its way"
          input={{ mail_id: mail.id }}
          onClose={close}
          refusalNote="Nothing was sent."
          title="Send the message again?"
        />
      )}
      {asked === "link" && (
        <ConfirmReveal
          action={showLink}
          confirmLabel="Show link"
          description={`With this link, ${mail.userName} sets a password. The audit log records that you saw it.`}
          input={{ mail_id: mail.id }}
          onClose={close}
          refusalNote="The link is not shown."
          reveal={({ url }) => (
            <ShownOnce leaveLabel="Done" onLeave={close} title={`A link for ${mail.userName}`}>
              {url === null ? (
                <Banner title="The response with the link was lost" tone="caution">
                  Close this and show the link again.
                </Banner>
              ) : (
                <>
                  <CopyText copyLabel="Copy link" label="Link" primary value={url} />
                  <Banner title="Anyone with this link can set the password" tone="caution">
                    Share it over a channel that you trust. It works once.
                  </Banner>
                </>
              )}
            </ShownOnce>
          )}
          title="Show the link?"
        />
      )}
    </>
  );
}
