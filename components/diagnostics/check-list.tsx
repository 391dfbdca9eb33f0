import { ButtonLink } from "#components/ui/button-link.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { type Check, sortBySeverity } from "#lib/domain/server-checks.ts";
import { type Remedy, remedyOf } from "./check-remedy.ts";
import { describeCheck } from "./check-text.ts";
import { VerdictIcon } from "./verdict-icon.tsx";

/** Every check with its verdict, what it found, and what to do about it; the worst first. */
export function CheckList({ checks, address }: { readonly checks: readonly Check[]; readonly address: string }) {
  return (
    <ul className="divide-y border-t">
      {sortBySeverity(checks).map((check) => {
        const { title, finding, advice } = describeCheck(check);
        return (
          <li className="flex items-start gap-2.5 px-4 py-2.5 text-sm [&>svg]:mt-0.5" key={check.id}>
            <VerdictIcon verdict={check.verdict} />
            <div className="wrap-anywhere min-w-0">
              <p className="font-medium">{title}</p>
              <p className="text-pretty text-text-muted">{finding}</p>
              {advice !== null && <p className="mt-1 text-pretty">{withCode(advice)}</p>}
              <RemedyButton remedy={remedyOf(check, address)} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function RemedyButton({ remedy }: { readonly remedy: Remedy | null }) {
  if (remedy === null) return null;
  if ("text" in remedy) {
    return (
      <p className="mt-1 flex flex-wrap items-center gap-1">
        <code className="wrap-anywhere rounded-md bg-surface-sunken px-2 py-1 font-mono text-xs">{remedy.text}</code>
        <CopyButton label={remedy.label} value={remedy.text} />
      </p>
    );
  }
  return (
    <ButtonLink className="mt-2" href={remedy.href} size="sm">
      {remedy.label}
    </ButtonLink>
  );
}

/** What stands between backticks is set as code. */
function withCode(text: string) {
  return text.split("`").map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code className="whitespace-nowrap font-mono text-xs" key={part}>
        {part}
      </code>
    ),
  );
}
