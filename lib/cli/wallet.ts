import { Command, Option } from "commander";
import type { ResellerId } from "#lib/domain/ids.ts";
import { toMajorNumber } from "#lib/domain/money.ts";
import { adjustWallet } from "#lib/services/wallet/adjust.ts";
import { refundCharge } from "#lib/services/wallet/refund.ts";
import { getWalletRunway } from "#lib/services/wallet/runway.ts";
import { streamStatement } from "#lib/services/wallet/statement-csv.ts";
import { type PaymentMethod, topUpWallet } from "#lib/services/wallet/top-up.ts";
import { verifyWallets } from "#lib/services/wallet/verify.ts";
import { readId, readInstant } from "./options.ts";
import { print, printJson, timestampOrNull } from "./output.ts";
import { actFor, runAsOperator } from "./run.ts";

const methods: readonly PaymentMethod[] = ["bank_transfer", "card", "cash", "other"];

type TopUpOptions = { reseller: ResellerId; amount: string; note: string; reference?: string; method?: PaymentMethod };
type AdjustOptions = { reseller: ResellerId; amount: string; reason: string; reference?: string };
type RefundOptions = { operation: string; amount?: string; reason: string; reference?: string };
type StatementOptions = { reseller: ResellerId; from: Date; to: Date };
type RunwayOptions = { reseller: ResellerId; all?: boolean };

export function walletCommand(): Command {
  const noun = new Command("wallet").description("resellers' prepaid money");
  noun
    .command("top-up")
    .description("credit a reseller's wallet")
    .requiredOption("--reseller <id>", "whose wallet", readId<ResellerId>)
    .requiredOption("--amount <amount>", "in the wallet's currency, such as 120.50")
    .requiredOption("--note <text>", "the note in the ledger")
    .option("--reference <text>", "the payment that it stands for; each is accepted once")
    .addOption(new Option("--method <method>", "how it was paid").choices(methods))
    .action(async ({ reseller, ...options }: TopUpOptions) => {
      printPosting(reseller, await runAsOperator((ctx) => topUpWallet(ctx, { ...options, resellerId: reseller })));
    });
  noun
    .command("adjust")
    .description("adjust a wallet manually")
    .requiredOption("--reseller <id>", "whose wallet", readId<ResellerId>)
    .requiredOption("--amount <amount>", "signed: --amount=-12.50 takes from the wallet")
    .requiredOption("--reason <text>", "reason, stored in the ledger and the audit log")
    .option("--reference <text>", "each is accepted once")
    .action(async ({ reseller, ...options }: AdjustOptions) => {
      printPosting(reseller, await runAsOperator((ctx) => adjustWallet(ctx, { ...options, resellerId: reseller })));
    });
  noun
    .command("refund")
    .description("refund a charge or a part of it; the license stays as it is")
    .requiredOption("--operation <id>", "which operation")
    .option("--amount <amount>", "by default, all that is left of the charge")
    .requiredOption("--reason <text>", "reason, stored in the ledger and the audit log")
    .option("--reference <text>", "each is accepted once")
    .action(async ({ operation, ...options }: RefundOptions) => {
      const refund = await runAsOperator((ctx) => refundCharge(ctx, { ...options, operationId: operation }));
      printPosting(refund.resellerId, refund);
    });
  noun
    .command("statement")
    .description("write a wallet's statement as CSV, between two days or instants")
    .requiredOption("--reseller <id>", "whose wallet", readId<ResellerId>)
    .requiredOption("--from <day or instant>", "inclusive, in UTC", readInstant)
    .requiredOption("--to <day or instant>", "exclusive", readInstant)
    .action(async ({ reseller, ...period }: StatementOptions) => {
      await runAsOperator(async (ctx) => {
        for await (const piece of streamStatement(await actFor(ctx, reseller, "wallet:read"), period)) {
          await print(piece);
        }
      });
    });
  noun
    .command("runway")
    .description("compare the coming renewals with the balance, at current prices")
    .requiredOption("--reseller <id>", "whose wallet", readId<ResellerId>)
    .option("--all", "everything that could be renewed, not only auto-renewals")
    .action(async ({ reseller, all = false }: RunwayOptions) => printRunway(reseller, all));
  noun
    .command("verify")
    .description("compare wallets, ledgers, open holds, platform accounts and core lots; fails if any differ")
    .action(printVerification);
  return noun;
}

function printPosting(reseller: number, posting: Awaited<ReturnType<typeof adjustWallet>>): void {
  const { amount, postedAfter, currency } = posting;
  printJson({
    reseller_id: reseller,
    amount: toMajorNumber(amount, currency),
    posted: toMajorNumber(postedAfter, currency),
    currency,
  });
}

async function printRunway(reseller: ResellerId, all: boolean): Promise<void> {
  const runway = await runAsOperator(async (ctx) =>
    getWalletRunway(await actFor(ctx, reseller, "wallet:read"), { all }),
  );
  const { currency, lapses, topUpNeeded } = runway;
  const major = (minor: bigint) => toMajorNumber(minor, currency);
  printJson({
    reseller_id: reseller,
    currency,
    balance: major(runway.spendable),
    days: runway.horizonDays,
    renewals: runway.renewalCount,
    sum_of_renewals: major(runway.renewalSum),
    covers_until: timestampOrNull(runway.coversUntil),
    lapse_count: runway.lapseCount,
    lapses: lapses.map(({ kind, id, label, dueAt, price }) => ({
      kind,
      id,
      label,
      due_at: timestampOrNull(dueAt),
      price: price === null ? null : major(price),
    })),
    top_up_needed: {
      days_30: major(topUpNeeded.days30),
      days_60: major(topUpNeeded.days60),
      days_90: major(topUpNeeded.days90),
    },
  });
}

async function printVerification(): Promise<void> {
  const { walletCount, differences, accounts, currencyDifferences, lotDifferences } =
    await runAsOperator(verifyWallets);
  printJson({
    wallets: walletCount,
    differences: differences.map(({ resellerId, currency, ...sums }) => ({
      reseller_id: resellerId,
      currency,
      posted: toMajorNumber(sums.posted, currency),
      sum_of_entries: toMajorNumber(sums.entriesSum, currency),
      held: toMajorNumber(sums.held, currency),
      sum_of_open_holds: toMajorNumber(sums.openHoldsSum, currency),
    })),
    accounts: accounts.map(({ currency, account, balance }) => ({
      currency,
      account,
      balance: toMajorNumber(balance, currency),
    })),
    currency_differences: currencyDifferences.map(({ currency, walletsSum, accountsSum }) => ({
      currency,
      sum_of_wallets: toMajorNumber(walletsSum, currency),
      sum_of_accounts: toMajorNumber(accountsSum, currency),
    })),
    lot_differences: lotDifferences,
  });
  if (differences.length + currencyDifferences.length + lotDifferences.length > 0) process.exitCode = 1;
}
