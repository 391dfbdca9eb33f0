import { Download } from "lucide-react";
import type { SearchParams } from "nuqs/server";
import { buttonClassName } from "#components/ui/button-style.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { PrintButton } from "#components/ui/print-button.tsx";
import { loadPeriod, periodHref } from "#components/wallet/ledger-params.ts";
import { StatementPeriod } from "#components/wallet/statement-period.tsx";
import { StatementSheet } from "#components/wallet/statement-sheet.tsx";
import type { ServiceContext } from "#lib/services/context.ts";
import { getStatement } from "#lib/services/wallet/statement.ts";
import { periodOf, statementDays, statementPresets } from "./view.ts";

/** Some 120 sheets of paper; more than that is for a spreadsheet. */
const MAX_ENTRIES = 5_000;

export interface StatementScreenProps {
  readonly ctx: ServiceContext;
  /** Of this page; the CSV is below it. */
  readonly path: string;
  /** Of the window. */
  readonly title: string;
  readonly trail: readonly { readonly label: string; readonly href: string }[];
  /** The reader has pages of the licenses. */
  readonly linked: boolean;
  readonly searchParams: Promise<SearchParams>;
}

/** The statement of one's own wallet, or of a reseller's. */
export async function StatementScreen({ ctx, path, title, trail, linked, searchParams }: StatementScreenProps) {
  const now = ctx.now();
  const days = statementDays(await loadPeriod(searchParams), now);
  const statement = await getStatement(ctx, { ...periodOf(days), maxEntries: MAX_ENTRIES });
  const download = (
    <a className={buttonClassName("secondary", "md")} download href={periodHref(`${path}/csv`, days)}>
      <Download />
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
        heading="Statement"
        title={title}
        trail={trail}
      />
      <StatementPeriod days={days} path={path} presets={statementPresets(path, days, now)} />
      <StatementSheet days={days} download={download} linked={linked} now={now} statement={statement} />
    </>
  );
}
