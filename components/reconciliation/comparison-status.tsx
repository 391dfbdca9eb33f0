import { CircleAlert, CircleCheck, LoaderCircle, TriangleAlert } from "lucide-react";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { countText, numberText } from "#lib/domain/count-text.ts";
import type { LastComparison } from "#lib/services/reconciliation/list-cases.ts";

/** Shown after the result of the last comparison. */
export const BEING_COMPARED = "(comparing again now)";

/** When each provider's books were compared last. */
export function ComparisonStatus({ lines }: { readonly lines: readonly LastComparison[] }) {
  if (lines.length === 0) return <p className="text-sm text-text-muted">No books have been compared yet.</p>;
  return (
    <ul className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-text-muted">
      {lines.map((line) => (
        <li className="flex items-start gap-1.5" key={line.provider}>
          <Mark line={line} />
          <span>
            <span className="font-medium text-text">{line.provider}</span>: <Account line={line} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Mark({ line }: { readonly line: LastComparison }) {
  const className = "mt-0.75 size-3.5 shrink-0";
  if (line.failureMessage !== null) return <CircleAlert className={`${className} text-critical`} />;
  if (line.finishedAt === null) return <LoaderCircle className={className} />;
  if (line.openCaseCount > 0) return <TriangleAlert className={`${className} text-caution`} />;
  return <CircleCheck className={`${className} text-positive`} />;
}

function Account({ line }: { readonly line: LastComparison }) {
  const { finishedAt, runningSince } = line;
  if (finishedAt === null) return runningSince === null ? "not compared yet" : "being compared now";
  return (
    <>
      <Result finishedAt={finishedAt} line={line} />
      {runningSince !== null && ` ${BEING_COMPARED}`}
    </>
  );
}

function Result({ line, finishedAt }: { readonly line: LastComparison; readonly finishedAt: Date }) {
  const { heldCount, licenseCount, openCaseCount, failureMessage } = line;
  if (failureMessage !== null) {
    return (
      <>
        not compared <Timestamp format="relative" value={finishedAt} />. {failureMessage}
      </>
    );
  }
  return (
    <>
      compared <Timestamp format="relative" value={finishedAt} />, {countText(heldCount, "license", "licenses")} at the
      provider, {numberText(licenseCount)} here,{" "}
      {openCaseCount === 0 ? "no open cases" : countText(openCaseCount, "open case", "open cases")}
    </>
  );
}
