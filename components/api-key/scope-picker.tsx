"use client";
import { TriangleAlert } from "lucide-react";
import { useId } from "react";
import { ChoiceCards } from "#components/form/choice-cards.tsx";
import { usePermissions } from "#components/shell/permissions.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { FieldError } from "#components/ui/field.tsx";
import { useFieldProblem } from "#components/ui/field-problems.ts";
import { mayGrantScopes } from "#lib/domain/roles.ts";
import { type Scope, scopes } from "#lib/domain/scopes.ts";
import { canSpend, type PresetName, presetNames, presets, scopeTexts } from "./scope-presets.ts";

export interface ScopePickerProps {
  readonly preset: PresetName;
  readonly onPresetChange: (preset: PresetName) => void;
  /** Counts with the preset "custom" alone. */
  readonly chosen: readonly Scope[];
  readonly onChosenChange: (chosen: readonly Scope[]) => void;
}

/** What a key may do: a usual choice, or scope by scope. */
export function ScopePicker({ preset, onPresetChange, chosen, onChosenChange }: ScopePickerProps) {
  const errorId = useId();
  const error = useFieldProblem("scopes");
  const permissions = usePermissions();
  const grantable = scopes.filter((scope) => mayGrantScopes(permissions, [scope]));
  const offered = presetNames.filter((name) => mayGrantScopes(permissions, presets[name].scopes ?? []));
  const held: readonly Scope[] = presets[preset].scopes ?? chosen;
  return (
    <div className="flex flex-col gap-3" data-field="scopes" data-label="Scopes">
      <ChoiceCards
        choices={offered.map((value) => ({ value, label: presets[value].label, detail: presets[value].detail }))}
        columns={2}
        legend="Access"
        name="_preset"
        onChange={(value) => onPresetChange(presetNames.find((name) => name === value) ?? "custom")}
        value={preset}
      />
      {preset === "custom" && (
        <fieldset aria-describedby={error ? errorId : undefined} className="rounded-md border px-3 pt-1.5 pb-2.5">
          <legend className="sr-only">Scopes</legend>
          <FieldError className="pb-1.5" id={errorId}>
            {error}
          </FieldError>
          <div className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
            {grantable.map((scope) => (
              <Checkbox
                checked={chosen.includes(scope)}
                hint={scopeTexts[scope]}
                key={scope}
                label={<code className="font-mono text-xs">{scope}</code>}
                name="scopes"
                onChange={({ target }) =>
                  onChosenChange(target.checked ? [...chosen, scope] : chosen.filter((other) => other !== scope))
                }
                value={scope}
              />
            ))}
          </div>
        </fieldset>
      )}
      {canSpend(held) && (
        <p className="flex items-start gap-1.5 text-sm text-text-muted">
          <TriangleAlert className="mt-0.75 size-3.5 shrink-0 text-caution" />
          Anyone who has this key can spend from the wallet. Bind it to the addresses of your own servers.
        </p>
      )}
    </div>
  );
}
