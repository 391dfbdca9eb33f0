import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import type { VerificationDay } from "./verification.ts";
import { VerificationChart } from "./verification-chart.tsx";
import { VerificationTable, type VerificationTableProps } from "./verification-table.tsx";

export interface VerificationCardProps extends VerificationTableProps {
  readonly days: readonly VerificationDay[];
  /** Where all of them are. */
  readonly href: string;
}

/** On the license's page: how the last days went, and the newest that were not valid. */
export function VerificationCard({ days, href, ...table }: VerificationCardProps) {
  const total = days.reduce((sum, { valid, failed }) => sum + valid + failed, 0);
  const failed = days.reduce((sum, day) => sum + day.failed, 0);
  const summary =
    total === 0
      ? "None in the last 30 days."
      : `${numberText(total)} in the last 30 days, ${failed === 0 ? "all valid" : `${numberText(failed)} not valid`}.`;
  return (
    <Card
      actions={
        <ButtonLink href={href} size="sm">
          All verifications
        </ButtonLink>
      }
      description={summary}
      flush
      title="Verifications"
    >
      {total > 0 && (
        <div className="px-4 pb-4">
          <VerificationChart days={days} />
        </div>
      )}
      {table.entries.length > 0 && (
        <div className="border-t">
          <h3 className="px-4 pt-3 pb-2 font-medium text-sm">Recent failures</h3>
          <div className="border-t">
            <VerificationTable {...table} scrolls />
          </div>
        </div>
      )}
    </Card>
  );
}
