"use client";
import { useState } from "react";
import type { stop } from "#app/(auth)/stop-messages/actions.ts";
import { Form } from "#components/form/form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { Card } from "#components/ui/card.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { LinkTitle } from "./link-page.tsx";

export interface StopMessagesProps {
  /** Of the kind of messages. */
  readonly title: string;
  readonly token: string;
  readonly stop: typeof stop;
}

export function StopMessages({ title, token, stop }: StopMessagesProps) {
  const [isDone, setDone] = useState(false);
  const form = useForm(stop, () => setDone(true));
  return (
    <>
      <LinkTitle>Stop emails</LinkTitle>
      <Card>
        {isDone ? (
          <p role="status">You get no more “{title}” emails. You can turn them on again in your settings.</p>
        ) : (
          <Form form={form} input={{ token }} primary submitLabel="Stop these emails" wide>
            <p>You get “{title}” emails. Your other emails stay on.</p>
          </Form>
        )}
      </Card>
      <p className="text-center text-sm">
        <TextLink href="/settings">Choose which emails you get</TextLink>
      </p>
    </>
  );
}
