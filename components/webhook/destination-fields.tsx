import { TextField } from "#components/ui/field.tsx";
import type { WebhookFormat } from "#lib/domain/webhook-format.ts";

export interface DestinationFieldsProps {
  readonly format: WebhookFormat;
  /** What is set, as it is shown; null for a new endpoint. */
  readonly current: { readonly url: string; readonly chatId: string | null } | null;
}

/** Where to: a system's URL, a chat's URL, or a bot and its chat. What is secret is empty, and stays unless replaced. */
export function DestinationFields({ format, current }: DestinationFieldsProps) {
  const isNew = current === null;
  switch (format) {
    case "standard":
      return (
        <TextField
          defaultValue={current?.url ?? ""}
          hint="Reachable from the Internet. Each event is sent there as a POST with a JSON body."
          inputMode="url"
          key={format}
          label="URL"
          mono
          name="url"
          placeholder="https://example.com/webhooks"
          spellCheck={false}
        />
      );
    case "slack":
      return (
        <TextField
          hint={
            isNew
              ? "Copy it from Slack's incoming webhooks. Anyone who has it can write to the channel, so it is not shown again."
              : "Leave it empty to keep the current one. Changing it requires a new code."
          }
          inputMode="url"
          key={format}
          label="Webhook URL"
          mono
          name="url"
          optional={!isNew}
          placeholder={isNew ? "https://hooks.slack.com/services/…" : "Unchanged"}
          spellCheck={false}
        />
      );
    case "telegram":
      return (
        <>
          <TextField
            hint={
              isNew
                ? "Get it from @BotFather. Anyone who has it controls the bot, so it is not shown again."
                : "Leave it empty to keep the current one. Changing it requires a new code."
            }
            label="Bot token"
            mono
            name="bot_token"
            optional={!isNew}
            placeholder={isNew ? "123456789:AA…" : "Unchanged"}
            spellCheck={false}
          />
          <TextField
            defaultValue={current?.chatId ?? ""}
            hint={`The number of a chat with the bot, or @ and the name of a public channel.${isNew ? "" : " Changing it requires a new code."}`}
            label="Chat ID"
            mono
            name="chat_id"
            placeholder="-1001234567890"
            spellCheck={false}
          />
        </>
      );
    default:
      return format satisfies never;
  }
}
