"use client";
import { useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { parseIpv4 } from "#lib/domain/ipv4.ts";
import { unconfirmed } from "./license-changes.ts";
import type { LicenseChanged } from "./license-details.ts";

export interface AddressInput {
  readonly new_ip: string;
}

export interface ChangeAddressDialogProps {
  /** What it means, e.g. that all move together. */
  readonly description: string;
  readonly confirmLabel: string;
  /** At present. */
  readonly ipAddress: string;
  /** The licenses that move; `id`: `lic_12`. */
  readonly moving: readonly { readonly id: string; readonly product: string }[];
  /** Moves to this address. */
  readonly action: OnceAction<AddressInput, LicenseChanged>;
  readonly onClose: () => void;
}

const labels = { new_ip: "New address" };

/** Asks for the new address and shows every license that moves to it. */
export function ChangeAddressDialog(props: ChangeAddressDialogProps) {
  const { description, confirmLabel, ipAddress, moving, action, onClose } = props;
  const [address, setAddress] = useState("");
  const target = parseIpv4(address);
  const { pending, failure, send } = useSubmission(action, (changed) => {
    onClose();
    toast(changed.pending ? unconfirmed : { title: `Moved to ${target ?? "the new address"}`, tone: "positive" });
  });
  const { problems, refusal } = useFieldProblems(failure, labels);
  return (
    <ConfirmDialog
      confirmLabel={confirmLabel}
      cost={[{ label: "Charged", value: "Nothing" }]}
      description={description}
      onClose={onClose}
      onConfirm={() => void send({ new_ip: address })}
      open
      pending={pending}
      title="Change the address?"
    >
      <Field
        error={problemOf(problems, "new_ip")}
        hint="An IPv4 address that has no live license of the same product yet."
        label="New address"
        name="new_ip"
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            data-autofocus
            mono
            onChange={(event) => setAddress(event.target.value)}
            placeholder="203.0.113.7"
            spellCheck={false}
            value={address}
          />
        )}
      </Field>
      <div className="text-sm">
        <p className="font-medium">{moving.length === 1 ? "This moves" : "These move"}</p>
        <ul className="mt-1 divide-y rounded-md border">
          {moving.map(({ id, product }) => (
            <li className="flex flex-col px-3 py-1.5" key={id}>
              <span>
                {product} <span className="font-mono text-text-muted text-xs">{id}</span>
              </span>
              <span className="font-mono text-text-muted text-xs">
                {ipAddress} <span aria-hidden>→</span>
                <span className="sr-only"> to </span> {target ?? "…"}
              </span>
            </li>
          ))}
        </ul>
      </div>
      {refusal && <SubmissionError failure={refusal} refusalNote="Nothing was moved." />}
    </ConfirmDialog>
  );
}
