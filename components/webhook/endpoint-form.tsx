"use client";
import { type ReactNode, useState } from "react";
import type { create } from "#app/(dashboard)/webhooks/actions.ts";
import { ChoiceCards } from "#components/form/choice-cards.tsx";
import { Form } from "#components/form/form.tsx";
import type { FormState } from "#components/form/use-form.ts";
import { Card } from "#components/ui/card.tsx";
import { SelectField, TextField } from "#components/ui/field.tsx";
import type { InputOf } from "#lib/domain/action-result.ts";
import type { EventKind } from "#lib/domain/events.ts";
import { type WebhookFormat, webhookFormats } from "#lib/domain/webhook-format.ts";
import { formatTexts } from "./format-texts.ts";
import { KindPicker } from "./kind-picker.tsx";
import { ReceiverRules } from "./receiver-rules.tsx";

const MAX_CONCURRENCY = 10;

/** What a form about an endpoint has and sends. */
export type EndpointInput = InputOf<typeof create>;

interface EndpointFormProps {
  readonly initial: Pick<EndpointInput, "description" | "every_event" | "ordered" | "concurrency"> & {
    readonly events: readonly EventKind[];
  };
  /** The destination that is set; null for a new endpoint. */
  readonly current: { readonly format: WebhookFormat; readonly url: string; readonly chatId: string | null } | null;
  readonly form: FormState<EndpointInput>;
  readonly submitLabel: string;
  /** What did not happen when the server refused. */
  readonly refusalNote: string;
  /** Beside the button that submits. */
  readonly cancel: ReactNode;
}

/** Where to, what, and how; for a new endpoint and for one that is changed. */
export function EndpointForm({ initial, current, form, submitLabel, refusalNote, cancel }: EndpointFormProps) {
  const [format, setFormat] = useState<WebhookFormat>(current?.format ?? "standard");
  // What is not touched stays what is stored, also when a colleague changes it.
  const [touched, setTouched] = useState<Partial<typeof initial>>({});
  const touch = (change: Partial<typeof initial>) => setTouched((earlier) => ({ ...earlier, ...change }));
  const { every_event: every, events: kinds, ordered, concurrency } = { ...initial, ...touched };
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Card>
        <Form
          buttons={cancel}
          className="flex flex-col gap-5"
          form={form}
          input={() => ({ format, every_event: every, events: kinds, ordered, concurrency })}
          primary
          refusalNote={refusalNote}
          submitLabel={submitLabel}
        >
          {current === null && (
            <ChoiceCards
              choices={webhookFormats.map((value) => ({ value, ...formatTexts[value] }))}
              columns={3}
              legend="Send to"
              name="format"
              onChange={(value) => setFormat(value as WebhookFormat)}
              value={format}
            />
          )}
          <DestinationFields current={current} format={format} />
          <TextField
            defaultValue={initial.description}
            label="Description"
            name="description"
            optional
            placeholder="Billing system, staging, …"
          />
          <KindPicker
            every={every}
            kinds={kinds}
            onEveryChange={(every_event) => touch({ every_event })}
            onKindsChange={(events) => touch({ events })}
          />
          <ChoiceCards
            choices={[
              { value: "any", label: "As fast as possible", detail: "Several at a time, in any order." },
              { value: "ordered", label: "In order", detail: "One at a time; a failed one holds up the rest." },
            ]}
            columns={2}
            legend="Order"
            name="ordered"
            onChange={(value) => touch({ ordered: value === "ordered" })}
            value={ordered ? "ordered" : "any"}
          />
          {!ordered && (
            <SelectField
              className="max-w-32"
              hint="Maximum requests in flight."
              label="Concurrent requests"
              name="concurrency"
              onChange={({ target }) => touch({ concurrency: Number(target.value) })}
              options={Array.from({ length: MAX_CONCURRENCY }, (_, index) => ({
                value: String(index + 1),
                label: String(index + 1),
              }))}
              value={String(concurrency)}
            />
          )}
        </Form>
      </Card>
      <ReceiverRules format={format} />
    </div>
  );
}

interface DestinationFieldsProps {
  readonly format: WebhookFormat;
  /** What is set, as it is shown; null for a new endpoint. */
  readonly current: { readonly url: string; readonly chatId: string | null } | null;
}

/** Where to: a system's URL, a chat's URL, or a bot and its chat. What is secret is empty, and stays unless replaced. */
function DestinationFields({ format, current }: DestinationFieldsProps) {
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
          />
          <TextField
            defaultValue={current?.chatId ?? ""}
            hint={`The number of a chat with the bot, or @ and the name of a public channel.${isNew ? "" : " Changing it requires a new code."}`}
            label="Chat ID"
            mono
            name="chat_id"
            placeholder="-1001234567890"
          />
        </>
      );
    default:
      return format satisfies never;
  }
}
