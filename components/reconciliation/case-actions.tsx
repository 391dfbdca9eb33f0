"use client";
import { Ban, Check, CircleMinus, MessageCircleQuestionMark, ReceiptText, Undo2, Wrench } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { act } from "#app/(dashboard)/reconciliation/[id]/actions.ts";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { moneyLine } from "#components/ui/cost-lines.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { TextareaField } from "#components/ui/field.tsx";
import { formatDay } from "#components/ui/format-time.ts";
import { Money } from "#components/ui/money.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { CaseAction, ComparedFact } from "#lib/domain/reconciliation.ts";
import type { ActionOffer, CaseToAct } from "./case-action.ts";
import { actionLabel, askAbout, factNames, moneyMoveOf, resolutionNames } from "./case-text.ts";

const icons = {
  ask_again: <MessageCircleQuestionMark />,
  adopt: <Check />,
  charge: <ReceiptText />,
  correct: <Wrench />,
  refund: <Undo2 />,
  dismiss: <CircleMinus />,
} as const satisfies Record<CaseAction, ReactNode>;

interface CaseActionsProps {
  readonly subject: CaseToAct;
  readonly offers: readonly ActionOffer[];
  readonly act: typeof act;
}

/** Each action with what it does and moves, the recommended one first; those that make no sense are folded, with the reason why. */
export function CaseActions({ subject, offers, act }: CaseActionsProps) {
  const [chosen, setChosen] = useState<ActionOffer | null>(null);
  const possible = offers
    .filter((offer) => offer.possible)
    .toSorted((one, other) => Number(other.recommended) - Number(one.recommended));
  const movesMoney = possible.some((offer) => offer.action === "ask_again" || moneyMoveOf(offer) !== null);
  const impossible = offers.filter((offer) => !offer.possible);
  return (
    <Card description={!movesMoney && "None of these moves money."} title="Actions">
      <ul className="flex flex-col divide-y">
        {possible.map((offer) => (
          <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 py-3 first:pt-0" key={offer.action}>
            <div className="min-w-0 flex-1 basis-64 text-sm">
              <p className="flex items-center gap-2 font-medium">
                {actionLabel(offer)}
                {offer.recommended && <Badge tone="accent">Recommended</Badge>}
              </p>
              <p className="text-pretty text-text-muted">{offer.text}</p>
              <p className="mt-0.5 tabular empty:hidden">{moneyMoveText(offer, subject.currency)}</p>
            </div>
            <Button
              className="w-44 max-sm:w-full"
              icon={icons[offer.action]}
              onClick={() => setChosen(offer)}
              variant={offer.recommended ? "primary" : "secondary"}
            >
              {actionLabel(offer)}
            </Button>
          </li>
        ))}
      </ul>
      {impossible.length > 0 && (
        <Disclosure className="mt-1" summary="Why not the others?">
          <ul>
            {impossible.map((offer) => (
              <li className="flex items-start gap-2 py-2 text-sm text-text-muted" key={offer.action}>
                <Ban className="mt-0.75 size-3.5 shrink-0" />
                <p className="text-pretty">
                  <span className="font-medium">{actionLabel(offer)}</span>: {offer.text}
                </p>
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
      {chosen && <ActDialog act={act} offer={chosen} onClose={() => setChosen(null)} subject={subject} />}
    </Card>
  );
}

/** "Charges $14.50" and the like; null where nothing is charged, refunded or released. */
function moneyMoveText(offer: ActionOffer, currency: string | null): string | null {
  if (offer.action === "ask_again") return "Charges or releases what is held, depending on the answer.";
  const move = moneyMoveOf(offer);
  return move === null || currency === null ? null : `${move.verb}s ${moneyText(move.amount, currency)}.`;
}

interface ActDialogProps {
  readonly subject: CaseToAct;
  readonly offer: ActionOffer;
  readonly act: typeof act;
  readonly onClose: () => void;
}

/** Says once more what happens and to whose money, and asks why. */
function ActDialog({ subject, offer, act, onClose }: ActDialogProps) {
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
      <TextareaField data-autofocus label="Reason" name="reason" placeholder="Your findings, and who confirmed them" />
    </ConfirmChange>
  );
}

function costOf({ reseller, spendable, currency }: CaseToAct, offer: ActionOffer) {
  const { action, wallet, released, changes } = offer;
  const changeLines = changes.map(({ fact, from, to }) => ({
    label: factNames[fact],
    value: (
      <>
        <FactText fact={fact} text={to} /> (was <FactText fact={fact} text={from} />)
      </>
    ),
  }));
  if (spendable === null || currency === null || action === "ask_again" || action === "dismiss") return changeLines;
  const move = moneyMoveOf(offer);
  const after = spendable + wallet + released;
  return [
    ...changeLines,
    ...(released > 0n && move?.verb !== "Release" ? [moneyLine("Release", released, currency)] : []),
    move !== null && moneyLine(move.verb, move.amount, currency),
    moneyLine(`Available balance of ${reseller ?? "the reseller"}`, spendable, currency),
    after < 0n
      ? { label: "Too little by", value: <Money className="text-caution" currency={currency} minor={-after} /> }
      : moneyLine("Available balance after", after, currency),
  ];
}

/** A provider reports the end of a term as a time, or only as a day in UTC. */
function FactText({ fact, text }: { readonly fact: ComparedFact; readonly text: string }) {
  if (fact === "address") return <span className="font-mono">{text}</span>;
  if (fact !== "term") return text;
  return text.includes("T") ? (
    <Timestamp format="date" value={text} />
  ) : (
    <time dateTime={text}>{formatDay(text)} UTC</time>
  );
}
