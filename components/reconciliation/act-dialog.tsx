"use client";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { TextareaField } from "#components/ui/field.tsx";
import { formatDay } from "#components/ui/format-time.ts";
import { Money } from "#components/ui/money.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { Acted, ActionInput, ActionOffer, CaseToAct } from "./case-action.ts";
import { askAbout, factNames, moneyMoveOf, resolutionNames } from "./case-text.ts";

export interface ActDialogProps {
  readonly subject: CaseToAct;
  readonly offer: ActionOffer;
  readonly act: OnceAction<ActionInput, Acted>;
  readonly onClose: () => void;
}

/** Says once more what happens and to whose money, and asks why. */
export function ActDialog({ subject, offer, act, onClose }: ActDialogProps) {
  const { action, wallet } = offer;
  return (
    <ConfirmChange
      {...askAbout(offer, subject.currency)}
      action={act}
      cost={costOf(subject, offer)}
      description={offer.text}
      done={({ resolution }) =>
        resolution === "open"
          ? { title: "Still unclear", description: "The provider gave no clear answer." }
          : { title: resolutionNames[resolution], description: "The case is closed.", tone: "positive" }
      }
      input={{ case_id: subject.caseId, action, fingerprint: subject.fingerprint, wallet: wallet.toString() }}
      onClose={onClose}
      tone={offer.endsLicense ? "critical" : "default"}
    >
      <TextareaField
        data-autofocus
        label="Reason"
        maxLength={1000}
        name="reason"
        placeholder="Your findings, and who confirmed them"
        rows={2}
      />
    </ConfirmChange>
  );
}

function costOf({ reseller, spendable, currency }: CaseToAct, offer: ActionOffer) {
  const { action, wallet, released, term } = offer;
  const termLines =
    term === null
      ? []
      : [
          {
            label: factNames.term,
            value: (
              <>
                <TermEnd at={term.to} /> (was <TermEnd at={term.from} />)
              </>
            ),
          },
        ];
  if (spendable === null || currency === null || action === "ask_again" || action === "dismiss") return termLines;
  const move = moneyMoveOf(offer);
  const after = spendable + wallet + released;
  return [
    ...termLines,
    ...(released > 0n && move?.verb !== "Release"
      ? [{ label: "Release", value: <Money currency={currency} minor={released} /> }]
      : []),
    move !== null && { label: move.verb, value: <Money currency={currency} minor={move.amount} /> },
    {
      label: `Available balance of ${reseller ?? "the reseller"}`,
      value: <Money currency={currency} minor={spendable} />,
    },
    after < 0n
      ? { label: "Too little by", value: <Money className="text-caution" currency={currency} minor={-after} /> }
      : { label: "Available balance after", value: <Money currency={currency} minor={after} /> },
  ];
}

/** A provider reports a time, or only a day in UTC. */
function TermEnd({ at }: { readonly at: string }) {
  return at.includes("T") ? <Timestamp format="date" value={at} /> : <time dateTime={at}>{formatDay(at)} UTC</time>;
}
