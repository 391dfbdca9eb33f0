import { Card } from "#components/ui/card.tsx";

const rules = [
  {
    title: "Answer the challenge",
    text: "The first message is webhook.endpoint_verification. Answer it with data.challenge as the body: this proves that your system wants events.",
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
    text: "The header webhook-id stays the same. Skip what you have seen.",
  },
  {
    title: "Failures are retried",
    text: "Ten attempts over about three days. You can resend any of them from the log.",
  },
] as const;

/** What a system that is told of events has to do, beside the form that adds it. */
export function ReceiverRules() {
  return (
    <Card title="What your system must do">
      <ol className="flex flex-col gap-3 text-sm">
        {rules.map(({ title, text }) => (
          <li key={title}>
            <p className="font-medium">{title}</p>
            <p className="text-pretty text-text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </Card>
  );
}
