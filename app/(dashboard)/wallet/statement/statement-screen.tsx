import { Download } from "lucide-react";
import { hrefOf } from "#app/search-params.ts";
import { buttonClassName } from "#components/ui/button-style.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { PrintButton } from "#components/ui/print-button.tsx";
import { StatementPeriod } from "#components/wallet/statement-period.tsx";
import { StatementSheet } from "#components/wallet/statement-sheet.tsx";
import type { ServiceContext } from "#lib/services/context.ts";
import { getStatement } from "#lib/services/wallet/statement.ts";
import { presentStatement } from "./present.ts";
import { parseStatementDays, periodOf, statementPresets } from "./view.ts";

/** Some forty sheets of paper; more than that is for a spreadsheet. */
const MAX_ENTRIES = 1_000;

export interface StatementScreenProps {
  readonly ctx: ServiceContext;
  /** Of this page; the CSV is below it. */
  readonly path: string;
  readonly trail: readonly { readonly label: string; readonly href: string }[];
  /** The reader has pages of the licenses. */
  readonly linked: boolean;
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
}

/** The statement of one's own wallet, or of a reseller's. */
export async function StatementScreen({ ctx, path, trail, linked, query }: StatementScreenProps) {
  const now = ctx.now();
  const days = parseStatementDays(query, now);
  const statement = await getStatement(ctx, { ...periodOf(days), maxEntries: MAX_ENTRIES });
  const download = (
    <a className={buttonClassName("secondary", "md")} download href={hrefOf(`${path}/csv`, { ...days })}>
      <Download aria-hidden className="size-3.5" />
      Download CSV
    </a>
  );
  return (
    <>
      <PageHeader
        actions={
          <>
            {download}
            <PrintButton />
          </>
        }
        title="Statement"
        trail={trail}
      />
      <StatementPeriod days={days} path={path} presets={statementPresets(path, days, now)} />
      <StatementSheet download={download} statement={presentStatement(statement, days, { now, linked })} />
    </>
  );
}
