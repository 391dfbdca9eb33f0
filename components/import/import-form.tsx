"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { checkImport, startImport } from "#app/(dashboard)/licenses/import/actions.ts";
import { useForm } from "#components/form/use-form.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import {
  type ReadBalance,
  useBalanceRefresh,
  useLiveBalance,
  type WalletBalance,
} from "#components/wallet/use-balance.ts";
import type { ActionResult, InputOf } from "#lib/domain/action-result.ts";
import { IMPORT_TOO_LARGE, isImportTooLarge } from "#lib/domain/import-size.ts";
import { ImportColumns, type ImportOffer } from "./import-columns.tsx";
import { ImportEditor } from "./import-editor.tsx";
import { ImportReview } from "./import-review.tsx";
import type { ImportPlanView } from "./plan-view.ts";

export interface ImportFormProps {
  /** A server action that changes nothing. */
  readonly check: typeof checkImport;
  readonly start: typeof startImport;
  readonly balance: WalletBalance;
  /** A server action. */
  readonly readBalance: ReadBalance;
  readonly offers: readonly ImportOffer[];
}

const tooLarge: ActionResult<never> = {
  ok: false,
  error: {
    code: "parameters_invalid",
    message: IMPORT_TOO_LARGE,
    fields: { text: IMPORT_TOO_LARGE },
    charge: null,
    requestId: null,
  },
};

/** The table first, then what it would cost row by row, then the job. Going back keeps the table. */
export function ImportForm({ check, start, balance, readBalance, offers }: ImportFormProps) {
  const router = useRouter();
  const balanceNow = useLiveBalance(balance, readBalance);
  const refreshBalance = useBalanceRefresh();
  const [text, setText] = useState("");
  const [plan, setPlan] = useState<ImportPlanView | null>(null);
  const [allowPrivateAddresses, setPrivateMeant] = useState(false);
  const checking = useForm(checkSize, (value) => {
    refreshBalance();
    setPlan(value);
    setPrivateMeant(false);
  });
  const starting = useSubmission(startAsChecked, ({ jobId }) => {
    refreshBalance();
    router.push(`/jobs/${jobId}`);
    return true;
  });

  /** Too large a table is not even sent. */
  function checkSize(table: InputOf<typeof check>): ReturnType<typeof check> {
    setText(table.text);
    return isImportTooLarge(table.text) ? Promise.resolve(tooLarge) : check(table);
  }

  /** A refusal for other rows or another price than agreed comes with the table checked again. */
  async function startAsChecked(agreement: InputOf<typeof start>, idempotencyKey?: string) {
    const result = await start(agreement, idempotencyKey);
    if (!result.ok && (result.error.code === "conflict" || result.error.code === "price_changed")) {
      await checking.send({ text: agreement.text });
    }
    return result;
  }

  if (plan !== null) {
    return (
      <ImportReview
        balance={balanceNow}
        failure={starting.failure}
        onBack={() => {
          starting.reset();
          setPlan(null);
        }}
        onStart={() =>
          void starting.send({
            text,
            agreedCount: plan.readyCount,
            agreedTotal: plan.total.toString(),
            allowPrivateAddresses,
          })
        }
        onPrivateMeant={setPrivateMeant}
        pending={starting.pending}
        plan={plan}
        allowPrivateAddresses={allowPrivateAddresses}
      />
    );
  }
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <ImportEditor form={checking} text={text} />
      <ImportColumns offers={offers} />
    </div>
  );
}
