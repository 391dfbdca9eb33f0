"use client";
import type { setRules } from "#app/(dashboard)/wallet/actions.ts";
import { SettingsForm } from "#components/form/form.tsx";
import { SettingLine } from "#components/form/setting-line.tsx";
import { TextField } from "#components/ui/field.tsx";
import type { Bound, InputOf } from "#lib/domain/action-result.ts";
import { countText } from "#lib/domain/count-text.ts";

export interface PriceRulesSettingProps {
  readonly values: InputOf<Bound<typeof setRules>>;
  readonly action: Bound<typeof setRules>;
}

/** What automatic renewals may charge when prices rise. */
export function PriceRulesSetting({ values, action }: PriceRulesSettingProps) {
  return (
    <SettingLine id="price-rules" name="Price increases" value={rulesText(values)}>
      <SettingsForm
        action={action}
        className="flex flex-col gap-3"
        done="Limits saved"
        stored={{ ...values }}
        to="wallet:write"
      >
        <p className="text-sm text-text-muted">
          Automatic renewals charge a higher price only within these limits. Others wait for you, and are reported as{" "}
          <code className="font-mono text-xs">license.renewal_failed</code>.
        </p>
        <TextField
          className="tabular"
          defaultValue={values.notice_days}
          hint="Time between announcing a higher price and the first charge at it."
          inputMode="numeric"
          label="Notice in days"
          name="notice_days"
        />
        <TextField
          className="tabular"
          defaultValue={values.max_increase}
          hint="Above the price that you last agreed to."
          inputMode="numeric"
          label="Highest increase in %"
          name="max_increase"
          optional
          placeholder="No limit"
        />
      </SettingsForm>
    </SettingLine>
  );
}

function rulesText({ notice_days, max_increase }: InputOf<Bound<typeof setRules>>): string {
  const notice = countText(Number(notice_days), "day's notice", "days' notice");
  return `${notice}, ${max_increase === "" ? "no limit" : `at most ${max_increase}%`}`;
}
