"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { applyImport, previewImport } from "#app/(dashboard)/providers/actions.ts";
import { Form } from "#components/form/form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { Card } from "#components/ui/card.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { SelectField, TextField } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { InputOf } from "#lib/domain/action-result.ts";
import type { MarkupRounding } from "#lib/domain/markup.ts";
import type { ImportResult } from "#lib/services/catalog/import-from-provider.ts";
import { ImportPlanView } from "./import-plan.tsx";

const roundings = [
  { value: "none", label: "No rounding" },
  { value: "to_99", label: "Up to the next x.99" },
  { value: "to_whole", label: "Up to the next whole amount" },
] as const satisfies readonly { value: MarkupRounding; label: string }[];

export interface ImportCatalogProps {
  readonly provider: string;
  readonly preview: typeof previewImport;
  readonly apply: typeof applyImport;
}

/** The rule, then what it would do, then doing exactly that. */
export function ImportCatalog({ provider, preview, apply }: ImportCatalogProps) {
  const router = useRouter();
  const [shown, setShown] = useState<{
    readonly rule: InputOf<typeof previewImport>;
    readonly plan: ImportResult;
  } | null>(null);
  const [rule, setRule] = useState<InputOf<typeof previewImport>>({
    provider,
    percent: "20",
    fixed: "",
    rounding: "none",
    allow_below_cost: false,
  });
  const looking = useForm(preview, (plan) => setShown({ rule, plan }));
  const applying = useSubmission(apply, ({ changed }) => {
    toast({ title: changed === 1 ? "1 product was changed" : `${changed} products were changed`, tone: "positive" });
    router.push(`/catalog?provider=${encodeURIComponent(provider)}`);
    return true;
  });
  const change = (part: Partial<InputOf<typeof previewImport>>) => {
    setRule({ ...rule, ...part });
    // What is shown is no longer what the form says.
    setShown(null);
    applying.reset();
  };

  return (
    <div className="flex flex-col gap-5">
      <Card title="List prices">
        <Form
          buttons={<span className="text-sm text-text-muted">Reads the provider's catalog and changes nothing.</span>}
          form={looking}
          input={rule}
          primary={shown === null}
          submitLabel="Preview"
        >
          <div className="grid gap-4 md:grid-cols-3">
            <TextField
              className="tabular"
              hint="On what the provider charges us. May be negative."
              inputMode="decimal"
              label="Markup in percent"
              name="percent"
              onChange={({ target }) => change({ percent: target.value })}
              value={rule.percent}
            />
            <TextField
              className="tabular"
              hint="On each cycle's price, in the provider's currency."
              inputMode="decimal"
              label="Plus a fixed amount"
              name="fixed"
              onChange={({ target }) => change({ fixed: target.value })}
              optional
              value={rule.fixed}
            />
            <SelectField
              hint="Of each list price, after the markup."
              label="Rounding"
              name="rounding"
              onChange={({ target }) => change({ rounding: target.value as MarkupRounding })}
              options={roundings}
              value={rule.rounding}
            />
          </div>
          <Checkbox
            checked={rule.allow_below_cost}
            hint="Otherwise a price that would be below cost is raised to cost."
            label="Let a negative markup sell below cost"
            name="allow_below_cost"
            onChange={({ target }) => change({ allow_below_cost: target.checked })}
          />
        </Form>
      </Card>
      {shown !== null && (
        <ImportPlanView
          failure={applying.failure}
          onApply={() => void applying.send({ rule: shown.rule, fingerprint: shown.plan.fingerprint })}
          pending={applying.pending}
          plan={shown.plan}
        />
      )}
    </div>
  );
}
