"use client";
import { useState } from "react";
import { Form } from "#components/form/form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { Card } from "#components/ui/card.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";

export interface StopMessagesProps {
  /** Of the kind of messages. */
  readonly title: string;
  readonly token: string;
  readonly stop: OnceAction<{ readonly token: string }>;
}

export function StopMessages({ title, token, stop }: StopMessagesProps) {
  const [isDone, setDone] = useState(false);
  const form = useForm(stop, () => setDone(true));
  return (
    <>
      <h1 className="text-center font-semibold text-xl tracking-tight">Stop messages</h1>
      <Card>
        {isDone ? (
          <p role="status">You get no more messages “{title}”. You can switch them on again in the settings.</p>
        ) : (
          <Form form={form} input={{ token }} primary submitLabel="Stop these messages" wide>
            <p>You get messages “{title}” from this License Desk.</p>
          </Form>
        )}
      </Card>
    </>
  );
}
