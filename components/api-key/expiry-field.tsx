"use client";
import { useState } from "react";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { expiries, ON_A_DAY } from "./expiries.ts";

/** How long a key works; the server counts, so that a form sent twice asks the same. */
export function ExpiryField({ error }: { readonly error: string | undefined }) {
  const [expires, setExpires] = useState<string>(expiries[0].value);
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-4" data-field="expires_at">
      <Field label="Works" name="expires">
        {(control) => (
          <Select
            {...control}
            className="w-52!"
            onChange={({ target }) => setExpires(target.value)}
            options={expiries}
            value={expires}
          />
        )}
      </Field>
      {expires === ON_A_DAY && (
        <Field error={error} hint="It works through this day, in UTC." label="Last day" name="expires_at">
          {(control) => <Input {...control} className="w-44!" type="date" />}
        </Field>
      )}
    </div>
  );
}
