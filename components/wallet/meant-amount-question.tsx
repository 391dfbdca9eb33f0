import { MeantQuestion } from "#components/form/meant-question.tsx";
import type { Meant } from "#components/form/use-meant.ts";
import { moneyText } from "#components/ui/money-text.ts";
import type { Currency } from "#lib/domain/money.ts";
import { parseTypedAmount } from "#lib/domain/typed-amount.ts";

/** Below the amount of a form that moves money, once the server has asked about a large one. */
export function MeantAmountQuestion({ asked, currency, ...answer }: Meant & { readonly currency: string }) {
  const { minor } = parseTypedAmount(asked ?? "", currency as Currency);
  return (
    <MeantQuestion
      {...answer}
      label="Large amount"
      name="meant_amount"
      subject={minor === undefined ? null : moneyText(minor, currency)}
    />
  );
}
