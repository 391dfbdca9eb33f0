"use client";
import { useRouter } from "next/navigation";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { Form, type FormProps } from "./form.tsx";
import { type FormState, useForm } from "./use-form.ts";

/** Of a form that leads to the page of what it has saved, and says so there. */
export function usePageForm<Input>(
  action: OnceAction<Input, { readonly href: string }>,
  done: string,
  stored: Readonly<Record<string, string>>,
): FormState<Input> {
  const router = useRouter();
  return useForm(
    action,
    ({ href }) => {
      toast({ title: done, tone: "positive" });
      router.push(href);
      return true;
    },
    stored,
  );
}

export interface PageFormProps<Input> extends Omit<FormProps<Input>, "buttons" | "className" | "primary" | "wide"> {
  readonly cancelHref: string;
}

/** The form that is its page's purpose. */
export function PageForm<Input>({ cancelHref, ...form }: PageFormProps<Input>) {
  return (
    <Card className="max-w-2xl">
      <Form
        {...form}
        buttons={<ButtonLink href={cancelHref}>Cancel</ButtonLink>}
        className="flex flex-col gap-5"
        primary
      />
    </Card>
  );
}
