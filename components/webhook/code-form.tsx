"use client";
import { Form } from "#components/form/form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { Card } from "#components/ui/card.tsx";
import { TextField } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { VerifyInput } from "./webhook.ts";

export interface CodeFormProps {
  readonly endpointId: number;
  readonly verify: OnceAction<VerifyInput>;
}

/** Where the code that a pending chat received is entered. */
export function CodeForm({ endpointId, verify }: CodeFormProps) {
  const form = useForm(verify, () => toast({ title: "Endpoint verified", tone: "positive" }));
  return (
    <Card title="Enter the code">
      <Form
        className="flex max-w-sm flex-col gap-4"
        form={form}
        input={{ endpoint_id: endpointId }}
        primary
        refusalNote="The endpoint is not verified."
        submitLabel="Verify endpoint"
      >
        <TextField
          autoCapitalize="none"
          hint="From the latest License Desk message in the chat. It is valid for an hour."
          label="Code"
          mono
          name="code"
          placeholder="k7mfa-2qpxz"
          spellCheck={false}
        />
      </Form>
    </Card>
  );
}
