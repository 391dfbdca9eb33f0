"use client";
import { Link2, RotateCw } from "lucide-react";
import { useState } from "react";
import { ConfirmChange, ConfirmForm } from "#components/form/confirm-form.tsx";
import { ShownOnce } from "#components/form/shown-once.tsx";
import { useForm } from "#components/form/use-form.ts";
import { Banner } from "#components/ui/banner.tsx";
import { Button } from "#components/ui/button.tsx";
import { CopyText } from "#components/ui/copy-text.tsx";
import type { MailActions, MailLine } from "./mail.ts";

export interface MailButtonsProps extends MailActions {
  readonly mail: Pick<MailLine, "id" | "state" | "recipient" | "userName">;
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
        <Button icon={<Link2 aria-hidden className="size-4" />} onClick={() => setAsked("link")}>
          Show link
        </Button>
      )}
      {hasServer && mail.state !== "sent" && (
        <Button icon={<RotateCw aria-hidden className="size-4" />} onClick={() => setAsked("retry")} variant="primary">
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
      {asked === "link" && <LinkDialog mail={mail} onClose={close} showLink={showLink} />}
    </>
  );
}

interface LinkDialogProps extends Pick<MailButtonsProps, "mail" | "showLink"> {
  readonly onClose: () => void;
}

function LinkDialog({ mail, showLink, onClose }: LinkDialogProps) {
  const [url, setUrl] = useState<string | null>(null);
  const form = useForm(showLink, (shown) => setUrl(shown.url ?? ""));
  if (url !== null) {
    return (
      <ShownOnce leaveLabel="Done" onLeave={onClose} title={`A link for ${mail.userName}`}>
        {url === "" ? (
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
    );
  }
  return (
    <ConfirmForm
      confirmLabel="Show link"
      description={`With this link, ${mail.userName} sets a password. The audit log records that you saw it.`}
      form={form}
      input={{ mail_id: mail.id }}
      onClose={onClose}
      refusalNote="The link is not shown."
      title="Show the link?"
    />
  );
}
