"use client";
import { useState } from "react";
import { SelectField, TextField } from "#components/ui/field.tsx";
import { expiries, ON_A_DAY } from "./expiries.ts";

/** How long a key works; the server counts, so that a form sent twice asks the same. */
export function ExpiryField() {
  const [expires, setExpires] = useState<string>(expiries[0].value);
  return (
    <div className="flex flex-col gap-y-4" data-field="expires_at">
      <SelectField
        className="w-full!"
        label="Expires"
        name="expires"
        onChange={({ target }) => setExpires(target.value)}
        options={expiries}
        value={expires}
      />
      {expires === ON_A_DAY && (
        <TextField
          className="w-44!"
          hint="It works through this day, in UTC."
          label="Last day"
          name="expires_at"
          type="date"
        />
      )}
    </div>
  );
}
