"use client";
import { useState } from "react";
import { licenseSearchTexts } from "#components/license/license-search-texts.ts";
import { TextField } from "#components/ui/field.tsx";
import { type Suggestion, Suggestions } from "#components/ui/suggestions.tsx";
import { useCombobox } from "#components/ui/use-combobox.ts";
import type { SearchAction } from "#components/ui/use-typed-search.ts";
import { formatLicenseId, type LicenseId, parseLicenseId } from "#lib/domain/ids.ts";

export interface LicenseFieldProps {
  /** As in the address: the id to begin with; "": none. */
  readonly text: string;
  /** Its license; null: none of the reseller's. */
  readonly named: Suggestion | null;
  /** Whose licenses are searched. */
  readonly ofReseller: number;
  readonly search: SearchAction<Suggestion>;
}

/** The id of the one license that a key works for: typed, pasted, or chosen from what a search finds. */
export function LicenseField({ text: initial, named: initiallyNamed, ofReseller, search }: LicenseFieldProps) {
  const [text, setText] = useState(initial);
  const [known, setKnown] = useState(initiallyNamed);
  const { input, inputRef, list } = useCombobox({
    name: `licenses of ${ofReseller}`,
    search,
    text: text.trim(),
    onType: setText,
    onChoose: (chosen) => {
      setKnown(chosen);
      setText(formatLicenseId(chosen.id as LicenseId));
      // As typing does: the form drops the problem that it had with the text before.
      inputRef.current?.dispatchEvent(new Event("input", { bubbles: true }));
    },
  });
  const licenseId = parseLicenseId(text.trim());
  const found = list?.found.find(({ id }) => id === licenseId);
  if (found && found.id !== known?.id) setKnown(found);
  const named = known?.id === licenseId ? known : null;
  return (
    <div>
      <TextField
        {...input}
        className="font-mono"
        hint={
          named === null ? (
            "Type its ID, or a part of its address, product or customer. If left empty, the key works for all."
          ) : (
            <>
              <span className="block font-medium text-text">{named.title}</span>
              {named.detail}
            </>
          )
        }
        label="License"
        name="license_id"
        optional
        placeholder="lic_12"
        value={text}
      />
      {list && <Suggestions {...list} {...licenseSearchTexts} />}
    </div>
  );
}
