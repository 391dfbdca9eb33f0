"use client";
import { ListFilter } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { SelectField, TextField } from "#components/ui/field.tsx";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { parseIpv4Range } from "#lib/domain/ipv4-range.ts";
import { CUSTOMER_EMAIL_MAX_LENGTH, parseTag, TAG_MAX_LENGTH } from "#lib/domain/labels.ts";
import { renewalNames, renewals } from "./license-filter.ts";
import type { LicenseView } from "./license-params.ts";

export interface MoreFiltersProps {
  readonly values: Pick<LicenseView, "address" | "bundle" | "customer" | "renewal" | "tag">;
  readonly bundles: readonly { readonly bundleId: number; readonly name: string }[];
  readonly onApply: (change: Partial<LicenseView>) => void;
}

const FORM_ID = "more-filters";
const NOT_AN_ADDRESS = "Write an address (203.0.113.7), its beginning (203.0.113.*) or a network (203.0.113.0/24).";

/** Customer, tag, address, bundle and renewal: asked for less often, so behind a button. */
export function MoreFilters({ values, bundles, onApply }: MoreFiltersProps) {
  const [open, setOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  function apply(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const address = text("address");
    if (address !== "" && parseIpv4Range(address) === null) return setProblem(NOT_AN_ADDRESS);
    setOpen(false);
    onApply({
      address: address || null,
      bundle: parsePositiveInteger(text("bundle")),
      customer: text("customer") || null,
      tag: parseTag(text("tag")) || null,
      renewal: renewals.find((renewal) => renewal === text("renewal")) ?? null,
    });
  }

  return (
    <>
      <Button
        icon={<ListFilter />}
        onClick={() => {
          setProblem(null);
          setOpen(true);
        }}
      >
        Filters
      </Button>
      {open && (
        <Dialog
          footer={
            <>
              <Button onClick={() => setOpen(false)}>Cancel</Button>
              <Button form={FORM_ID} type="submit" variant="primary">
                Show licenses
              </Button>
            </>
          }
          onClose={() => setOpen(false)}
          size="sm"
          title="Filters"
        >
          <form className="flex flex-col gap-4" id={FORM_ID} noValidate onSubmit={apply}>
            <TextField
              defaultValue={values.customer ?? ""}
              hint="Their whole name, email address or your reference."
              label="Customer"
              maxLength={CUSTOMER_EMAIL_MAX_LENGTH}
              name="customer"
              required={false}
            />
            <TextField
              defaultValue={values.tag ?? ""}
              label="Tag"
              maxLength={TAG_MAX_LENGTH}
              name="tag"
              required={false}
              spellCheck={false}
            />
            <TextField
              defaultValue={values.address ?? ""}
              error={problem}
              hint="One address, its beginning as in 203.0.113.*, or a network as in 203.0.113.0/24."
              label="Address"
              mono
              name="address"
              onChange={() => setProblem(null)}
              required={false}
            />
            {bundles.length > 0 && (
              <SelectField
                defaultValue={values.bundle ?? ""}
                label="Bundle"
                name="bundle"
                options={bundles.map(({ bundleId, name }) => ({ value: String(bundleId), label: name }))}
                placeholder="In any bundle, or in none"
                required={false}
              />
            )}
            <SelectField
              defaultValue={values.renewal ?? ""}
              label="Renewal"
              name="renewal"
              options={renewals.map((renewal) => ({ value: renewal, label: renewalNames[renewal] }))}
              placeholder="Any"
              required={false}
            />
          </form>
        </Dialog>
      )}
    </>
  );
}
