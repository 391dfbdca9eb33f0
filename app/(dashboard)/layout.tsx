import type { ReactNode } from "react";
import { homeOf } from "#app/home.ts";
import { ActingBanner } from "#components/shell/acting-banner.tsx";
import { AppShell } from "#components/shell/app-shell.tsx";
import { PaletteButton } from "#components/shell/palette-button.tsx";
import { QueryProvider } from "#components/shell/query-provider.tsx";
import { LiveWalletSlot } from "#components/wallet/live-wallet-slot.tsx";
import { contextOf, requireUser } from "#lib/dashboard/session.ts";
import { summarizeInbox } from "#lib/services/reconciliation/list-cases.ts";
import { getReseller } from "#lib/services/reseller/get.ts";
import type { SignedInUser } from "#lib/services/user/sign-in.ts";
import { getBalance } from "#lib/services/wallet/balance.ts";
import { countOpenTopUps } from "#lib/services/wallet/list-top-up-requests.ts";
import { readBalance, searchLicenses, signOut, stopActing } from "./actions.ts";
import { navigationFor, paletteFor, type Waiting } from "./navigation.tsx";
import { presentBalance } from "./present.ts";

/** The shell. It guards nothing: a layout stays while its pages change, so every page asks for its own user. */
export default async function DashboardLayout({ children }: { readonly children: ReactNode }) {
  const user = await requireUser();
  const { organization, wallet, waiting } = await readShell(user);
  return (
    <QueryProvider>
      <AppShell
        acting={
          user.actingAs && (
            <ActingBanner
              backHref={`/resellers/${user.resellerId}`}
              name={user.actingAs.name}
              stop={stopActing}
              until={user.actingAs.until.toISOString()}
            />
          )
        }
        homeHref={homeOf(user.role)}
        palette={
          <PaletteButton
            groups={paletteFor(user.role, user.actingAs !== null)}
            owner={String(user.userId)}
            search={user.role === "reseller" ? searchLicenses : null}
          />
        }
        sections={navigationFor(user.role, waiting)}
        settingsHref={user.actingAs === null ? "/settings" : undefined}
        signOut={signOut}
        user={{ name: user.name, email: user.email, organization }}
        wallet={wallet}
      >
        {children}
      </AppShell>
    </QueryProvider>
  );
}

interface Shell {
  readonly organization: string;
  readonly wallet: ReactNode;
  readonly waiting: Waiting;
}

async function readShell(user: SignedInUser): Promise<Shell> {
  const ctx = contextOf(user);
  if (user.role === "admin") {
    const [{ open }, openTopUps] = await Promise.all([summarizeInbox(ctx), countOpenTopUps(ctx)]);
    return { organization: "Administration", wallet: null, waiting: { openCases: open, openTopUps } };
  }
  const [{ name }, balance] = await Promise.all([getReseller(ctx), getBalance(ctx)]);
  return {
    waiting: { openCases: 0, openTopUps: 0 },
    organization: name,
    wallet: <LiveWalletSlot href="/wallet" initial={presentBalance(balance)} read={readBalance} />,
  };
}
