"use client";
import { useState } from "react";
import type { create } from "#app/(dashboard)/resellers/new/actions.ts";
import { Form } from "#components/form/form.tsx";
import { ShownOnceCard } from "#components/form/shown-once.tsx";
import { useForm } from "#components/form/use-form.ts";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { SelectField, TextareaField, TextField } from "#components/ui/field.tsx";
import { InvitationReveal } from "#components/user/invitation-reveal.tsx";
import type { ResellerCreated } from "./settings.ts";

export interface CreateResellerProps {
  readonly create: typeof create;
  /** In which something is sold already. The only one is chosen; of several, the admin chooses. */
  readonly soldCurrencies: readonly string[];
  readonly otherCurrencies: readonly string[];
}

/** The form, and then the first user's invitation. */
export function CreateReseller({ create, soldCurrencies, otherCurrencies }: CreateResellerProps) {
  const [created, setCreated] = useState<ResellerCreated | null>(null);
  const form = useForm(create, setCreated);
  if (created !== null) {
    return (
      <ShownOnceCard className="max-w-xl" href={created.href} leaveLabel="Done" title="The reseller is created">
        <InvitationReveal {...created} />
      </ShownOnceCard>
    );
  }
  return (
    <Card className="max-w-xl">
      <Form
        buttons={<ButtonLink href="/resellers">Cancel</ButtonLink>}
        form={form}
        primary
        refusalNote="Nothing was created."
        submitLabel="Create reseller"
      >
        <TextField autoFocus hint="The name of the company." label="Name" name="name" />
        <SelectField
          className="w-56!"
          hint="The wallet and the prices are in this currency. It cannot be changed later."
          label="Currency"
          name="currency"
          options={[
            ...soldCurrencies.map((value) => ({ value, label: value })),
            ...otherCurrencies.map((value) => ({ value, label: `${value} (no prices yet)` })),
          ]}
          {...(soldCurrencies.length === 1 ? {} : { placeholder: "Choose a currency" })}
        />
        <TextField
          hint="Their name, if not the company's. They sign in first, and can add others."
          label="First user"
          name="person"
          optional
        />
        <TextField
          hint="They sign in with it, and messages to the reseller go there."
          label="Email"
          name="email"
          type="email"
        />
        <TextareaField hint="Only administrators see this." label="Notes" name="notes" optional rows={3} />
      </Form>
    </Card>
  );
}
