"use client";
import { type FormEvent, useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { TextLink } from "#components/ui/text-link.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";

/** Decimal text in major units; null: never. */
export interface ThresholdInput {
  readonly threshold: string | null;
}

/** Minor units as decimal text; null: never. */
export interface ThresholdSet {
  readonly threshold: string | null;
}

export interface LowBalanceSettingProps {
  readonly currency: string;
  /** Decimal text in major units; null: never told. */
  readonly threshold: string | null;
  /** Without one, nobody is told. */
  readonly hasEndpoint: boolean;
  readonly action: OnceAction<ThresholdInput, ThresholdSet>;
}

const labels = { threshold: "Threshold" };

/** Below which balance the reseller is told. */
export function LowBalanceSetting({ currency, threshold, hasEndpoint, action }: LowBalanceSettingProps) {
  const [text, setText] = useState(threshold ?? "");
  const { pending, failure, send } = useSubmission(action, (saved) => {
    if (saved.threshold === null) setText("");
    toast({
      title:
        saved.threshold === null
          ? "Warning turned off"
          : `You will be notified below ${moneyText(saved.threshold, currency)}`,
      tone: "positive",
    });
  });
  const { problems, refusal } = useFieldProblems(failure, labels);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    void send({ threshold: text });
  }

  return (
    <Card title="Low balance warning">
      <form className="flex flex-col gap-3" noValidate onSubmit={submit}>
        <Field
          error={problemOf(problems, "threshold")}
          hint={
            <>
              When your spendable balance drops below this, your webhook endpoints get{" "}
              <code className="font-mono text-xs">wallet.low_balance</code>, once.
              {!hasEndpoint && (
                <>
                  {" "}
                  You have no endpoint yet: <TextLink href="/webhooks">add one under Webhooks</TextLink>.
                </>
              )}
            </>
          }
          label={`Threshold in ${currency}`}
          name="threshold"
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              className="tabular"
              inputMode="decimal"
              onChange={({ target }) => setText(target.value)}
              placeholder="No warning"
              value={text}
            />
          )}
        </Field>
        {refusal && <SubmissionError failure={refusal} refusalNote="Nothing was changed." />}
        <div className="flex flex-wrap gap-2">
          <Button loading={pending} type="submit">
            Save
          </Button>
          {threshold !== null && (
            <Button disabled={pending} onClick={() => void send({ threshold: null })} variant="ghost">
              No warning
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}
