"use client";
import { useId, useState } from "react";
import type { addProduct } from "#app/(dashboard)/catalog/actions.ts";
import { PageForm, usePageForm } from "#components/form/page-form.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { FieldError, SelectField, TextareaField, TextField } from "#components/ui/field.tsx";
import { useFieldProblem } from "#components/ui/field-problems.ts";
import type { InputOf } from "#lib/domain/action-result.ts";

export interface EditProductProps {
  readonly initial: InputOf<typeof addProduct>;
  readonly providers: readonly string[];
  /** Why a field stays as it is; absent: it can be changed. */
  readonly fixed: { readonly type?: string; readonly provider?: string; readonly coreMetered?: string };
  readonly action: typeof addProduct;
  readonly isNew: boolean;
  readonly cancelHref: string;
}

/** For a new product and for one that is changed; goes to the product's page. */
export function EditProduct({ initial, providers, fixed, action, isNew, cancelHref }: EditProductProps) {
  const [coreMetered, setCoreMetered] = useState(initial.core_metered);
  const { type, provider, provider_sku } = initial;
  const form = usePageForm(action, isNew ? "Product added" : "Product changed", {
    ...initial,
    core_metered: initial.core_metered ? "Yes" : "No",
  });
  return (
    <PageForm
      cancelHref={cancelHref}
      form={form}
      // The form does not send what is disabled.
      input={{
        core_metered: coreMetered,
        ...(fixed.type !== undefined && { type }),
        ...(fixed.provider !== undefined && { provider, provider_sku }),
      }}
      refusalNote={isNew ? "No product was added." : "Nothing was changed."}
      submitLabel={isNew ? "Add product" : "Save changes"}
    >
      <TextField defaultValue={initial.name} label="Name" name="name" />
      <TextField
        defaultValue={type}
        disabled={fixed.type !== undefined}
        hint={fixed.type ?? "Identifies the product in the API, such as control_panel. It never changes."}
        label="Type"
        mono
        name="type"
      />
      <TextareaField
        defaultValue={initial.description}
        hint="Resellers see it when they choose what to register."
        label="Description"
        name="description"
        optional
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField
          defaultValue={provider}
          disabled={fixed.provider !== undefined}
          hint={fixed.provider ?? "Who issues its licenses."}
          label="Provider"
          name="provider"
          options={providers.map((name) => ({ value: name, label: name }))}
        />
        <TextField
          defaultValue={provider_sku}
          disabled={fixed.provider !== undefined}
          hint={fixed.provider ?? "Its name at the provider."}
          label="Provider's code"
          mono
          name="provider_sku"
        />
      </div>
      <CoreMetered checked={coreMetered} fixed={fixed.coreMetered} onChange={setCoreMetered} />
      <TextField
        className="tabular max-w-32"
        defaultValue={initial.workers}
        hint="Worker processes that a license allows; 0 where the product has none."
        inputMode="numeric"
        label="Workers"
        name="workers"
      />
    </PageForm>
  );
}

interface CoreMeteredProps {
  readonly checked: boolean;
  readonly fixed: string | undefined;
  readonly onChange: (checked: boolean) => void;
}

function CoreMetered({ checked, fixed, onChange }: CoreMeteredProps) {
  const errorId = useId();
  const error = useFieldProblem("core_metered");
  return (
    <div data-field="core_metered" data-label="Metered by cores">
      <Checkbox
        aria-describedby={error ? errorId : undefined}
        checked={checked}
        disabled={fixed !== undefined}
        hint={fixed ?? "The price includes one core; each further one costs extra."}
        label="Metered by cores"
        name="core_metered"
        onChange={({ target }) => onChange(target.checked)}
      />
      <FieldError id={errorId}>{error}</FieldError>
    </div>
  );
}
