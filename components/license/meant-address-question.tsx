"use client";
import type { Meant } from "#components/form/use-meant.ts";
import { Checkbox } from "#components/ui/checkbox.tsx";

/** Below the address field, once the server has asked. */
export function MeantAddressQuestion({ asked, meant, setMeant }: Meant) {
  return (
    <div className="empty:hidden" data-field="meant_address" data-label="Private address">
      {asked !== null && (
        <Checkbox
          checked={meant}
          hint="A private address cannot be reached from the internet. It is right for laboratories and private clouds."
          label={`${asked} is intended`}
          name="meant_address"
          onChange={(event) => setMeant(event.target.checked)}
        />
      )}
    </div>
  );
}
