import type { ReactNode } from "react";
import { Card } from "#components/ui/card.tsx";
import { CHALLENGE_KIND } from "#lib/domain/events.ts";
import type { WebhookFormat } from "#lib/domain/webhook-format.ts";

interface Rule {
  readonly title: string;
  readonly text: ReactNode;
}

const enterCode = {
  title: "Enter the code",
  text: "The first message has a code. Enter it on the endpoint's page: this proves that the chat wants events.",
} as const;

const rules: Readonly<Record<WebhookFormat, { readonly title: string; readonly rules: readonly Rule[] }>> = {
  standard: {
    title: "What your system must do",
    rules: [
      {
        title: "Answer the challenge",
        text: (
          <>
            The first message is <Code>{CHALLENGE_KIND}</Code>. Answer it with <Code>data.challenge</Code> as the body.
            This proves that your system wants events.
          </>
        ),
      },
      {
        title: "Answer with 2xx within 15 seconds",
        text: "Store the message first, then act on it. Redirects count as failures.",
      },
      {
        title: "Verify the signature",
        text: "With the secret that is shown once, when the endpoint is added. The log has code to copy.",
      },
      {
        title: "Expect a message more than once",
        text: (
          <>
            The header <Code>webhook-id</Code> stays the same. Skip what you have seen.
          </>
        ),
      },
      {
        title: "Failures are retried",
        text: "Ten attempts over about three days. You can resend any of them from the log.",
      },
    ],
  },
  slack: {
    title: "How to set it up",
    rules: [
      {
        title: "Get the webhook URL",
        text: "Slack: create an app at api.slack.com/apps, activate Incoming Webhooks, and add one to the channel. Mattermost and Google Chat: add an incoming webhook to the channel or space.",
      },
      { title: "Discord", text: "Copy the URL of the channel's webhook, and add /slack at its end." },
      enterCode,
    ],
  },
  telegram: {
    title: "How to set it up",
    rules: [
      { title: "Create a bot", text: "Send /newbot to @BotFather in Telegram. It answers with the token." },
      {
        title: "Add the bot to the chat",
        text: "To a group as a member, to a channel as an administrator. For a chat with yourself, send the bot a message.",
      },
      {
        title: "Find the chat ID",
        text: "After a message in the chat, api.telegram.org/bot<token>/getUpdates shows it as chat.id. Groups have negative numbers.",
      },
      enterCode,
    ],
  },
};

function Code({ children }: { readonly children: string }) {
  return <code className="font-mono text-xs">{children}</code>;
}

/** What has to be done where events are to arrive, beside the form. */
export function ReceiverRules({ format }: { readonly format: WebhookFormat }) {
  const { title, rules: steps } = rules[format];
  return (
    <Card title={title}>
      <ol className="flex flex-col gap-3 text-sm">
        {steps.map(({ title, text }) => (
          <li key={title}>
            <p className="font-medium">{title}</p>
            <p className="wrap-anywhere text-pretty text-text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </Card>
  );
}
