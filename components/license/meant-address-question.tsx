"use client";
import { Checkbox } from "#components/ui/checkbox.tsx";
import type { MeantAddress } from "./use-meant-address.ts";

/** Below the address field, once the server has asked. */
export function MeantAddressQuestion({ asked, meant, setMeant }: MeantAddress) {
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
