"use client";
import { useState } from "react";
import type { listMovable, startAddresses } from "#app/(dashboard)/licenses/bulk/actions.ts";
import { ConfirmForm } from "#components/form/confirm-form.tsx";
import { MeantAddressQuestion } from "#components/license/meant-address-question.tsx";
import { addressesIn } from "#components/license/registration.ts";
import { ViewedResellerProvider } from "#components/shell/viewed-reseller.tsx";
import { CostLines } from "#components/ui/cost-lines.tsx";
import { TextareaField } from "#components/ui/field.tsx";
import { countText } from "#lib/domain/count-text.ts";
import { parseIpv4 } from "#lib/domain/ipv4.ts";
import { type MovableLicense, type MovableLicenses, sentSelection } from "./license-change.ts";
import { QuoteFailure, QuoteSkeleton } from "./quote-state.tsx";
import { skippedLines } from "./quote-summary.tsx";
import type { Selection } from "./selection-store.ts";
import { useJobStart } from "./use-job-start.ts";

export interface AddressActions {
  /** Lists what can be moved. */
  readonly list: typeof listMovable;
  readonly start: typeof startAddresses;
}

export interface ChangeAddressesDialogProps extends AddressActions {
  readonly selection: Selection;
  readonly onClose: () => void;
}

const none: MovableLicenses = { movable: [], skipped: [], reseller: null };

/** Takes the new address of each server, or one for all, and shows which license gets which. */
export default function ChangeAddressesDialog({ selection, list, start, onClose }: ChangeAddressesDialogProps) {
  const [typed, setTyped] = useState("");
  const request = sentSelection(selection);
  const { form, quote, pending, failure } = useJobStart({ noun: "license", name: "change_ip", request }, list, start);
  const { movable, skipped, reseller } = quote ?? none;
  const servers = [...Map.groupBy(movable, ({ ipAddress }) => ipAddress)];
  const given = addressesIn(typed);
  const several = servers.length > 1;
  return (
    <ViewedResellerProvider reseller={reseller}>
      <ConfirmForm
        confirmDisabled={movable.length === 0}
        confirmLabel={movable.length > 1 ? `Change IP of ${movable.length}` : "Change IP"}
        cost={[{ label: "Cost", value: "Free" }]}
        description="Each license stops verifying on its old address as soon as the provider has moved it."
        form={form}
        input={{ licenses: movable.map(({ id, ipAddress }) => ({ license_id: id, from: ipAddress })) }}
        onClose={onClose}
        refusalNote="Nothing was started. The list is as of now."
        size="md"
        title={`Change the IP of ${movable.length > 0 ? countText(movable.length, "license") : "licenses"}?`}
      >
        {failure !== null && <QuoteFailure failure={failure} />}
        <TextareaField
          className="font-mono"
          data-autofocus
          hint={several ? "One per line, in the order of the list below; a single one is for all of them." : undefined}
          label={several ? "New addresses" : "New address"}
          name="new_ips"
          onChange={(event) => setTyped(event.target.value)}
          placeholder="203.0.113.7"
          rows={Math.min(Math.max(servers.length, 1), MAX_ROWS)}
          spellCheck={false}
          value={typed}
        />
        <MeantAddressQuestion about="new_ips" />
        {servers.length > 0 && (
          <ul className="max-h-64 divide-y overflow-y-auto rounded-md border text-sm">
            {servers.map(([ipAddress, licenses], at) => (
              <Server
                ipAddress={ipAddress}
                key={ipAddress}
                licenses={licenses}
                target={given.length === 1 ? given[0] : given[at]}
              />
            ))}
          </ul>
        )}
        {skipped.length > 0 && <CostLines lines={skippedLines(skipped)} />}
        {pending && quote === null && failure === null && <QuoteSkeleton />}
      </ConfirmForm>
    </ViewedResellerProvider>
  );
}

const MAX_ROWS = 6;

interface ServerProps {
  readonly ipAddress: string;
  readonly licenses: readonly MovableLicense[];
  /** As typed; undefined: not yet. */
  readonly target: string | undefined;
}

function Server({ ipAddress, licenses, target }: ServerProps) {
  const address = target === undefined ? null : parseIpv4(target);
  return (
    <li className="flex flex-col px-3 py-1.5">
      <span className="font-mono">
        {ipAddress}&nbsp;<span aria-hidden>→</span>
        <span className="sr-only"> to </span> {address ?? "…"}
      </span>
      <span className="text-text-muted text-xs">{licenses.map(({ productName }) => productName).join(", ")}</span>
    </li>
  );
}
