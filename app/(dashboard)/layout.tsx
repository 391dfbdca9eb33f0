import type { ReactNode } from "react";
import { homeOf } from "#app/home.ts";
import { ProveAgain } from "#components/auth/prove-again.tsx";
import { SignInAgain } from "#components/auth/sign-in-again.tsx";
import { NotificationBell } from "#components/notification/notification-bell.tsx";
import { TestModeBanner } from "#components/sandbox/test-mode-banner.tsx";
import { ActingBanner } from "#components/shell/acting-banner.tsx";
import { AppShell } from "#components/shell/app-shell.tsx";
import { ConnectionNotice } from "#components/shell/connection-notice.tsx";
import { DemoBanner, type DemoBannerProps } from "#components/shell/demo-banner.tsx";
import { PaletteButton } from "#components/shell/palette-button.tsx";
import { PermissionsProvider } from "#components/shell/permissions.tsx";
import { QueryProvider } from "#components/shell/query-provider.tsx";
import { RecoveryCodesBanner } from "#components/shell/recovery-codes-banner.tsx";
import { SafeModeBanner } from "#components/shell/safe-mode-banner.tsx";
import { UserMenu } from "#components/shell/user-menu.tsx";
import { ReaderFormats } from "#components/ui/reader-formats.tsx";
import { TimeZoneProvider } from "#components/ui/time-zone.tsx";
import { LiveWalletSlot } from "#components/wallet/live-wallet-slot.tsx";
import { findIssuer } from "#lib/dashboard/issuer-sign-in.ts";
import { findPasskeySite } from "#lib/dashboard/passkey-site.ts";
import { isSafeMode } from "#lib/dashboard/safe-mode.ts";
import { contextOf, may, ownerOf, permissionsOf, requireUser } from "#lib/dashboard/session.ts";
import { formatLocale } from "#lib/domain/format-locale.ts";
import { hasFewRecoveryCodes } from "#lib/domain/recovery-code.ts";
import { countUnreadNotifications } from "#lib/services/notification/list.ts";
import { summarizeInbox } from "#lib/services/reconciliation/list-cases.ts";
import { getReseller } from "#lib/services/reseller/get.ts";
import { findDemoAdmin } from "#lib/services/user/find-demo-admin.ts";
import { getOwnFactors } from "#lib/services/user/own-factors.ts";
import type { SignedInUser } from "#lib/services/user/sign-in.ts";
import { getBalance } from "#lib/services/wallet/balance.ts";
import { countOpenTopUps } from "#lib/services/wallet/list-top-up-requests.ts";
import { readBalance, readOwner, readProof, search, signOut, stopActing } from "./actions.ts";
import { navigationFor, type Waiting } from "./navigation.tsx";
import { readUnread } from "./notifications/actions.ts";
import { paletteFor } from "./palette.tsx";
import { switchMode } from "./test-mode/actions.ts";

/** The shell. It guards nothing: a layout stays while its pages change, so every page asks for its own user. */
export default async function DashboardLayout({ children }: { readonly children: ReactNode }) {
  const user = await requireUser();
  const isSelf = user.actingAs === null;
  const [{ organization, wallet, waiting, demoAdmin }, unread, factors] = await Promise.all([
    readShell(user),
    isSelf ? countUnreadNotifications(contextOf(user)) : null,
    isSelf ? getOwnFactors(contextOf(user)) : null,
  ]);
  const permissions = permissionsOf(user);
  const navigation = navigationFor(user.kind, permissions, waiting);
  const demoBanner = demoAdmin && <DemoBanner {...demoAdmin} />;
  return (
    <QueryProvider>
      <PermissionsProvider permissions={permissions}>
        <TimeZoneProvider zone={user.timeZone}>
          <ReaderFormats key={formatLocale()} locale={formatLocale()}>
            <AppShell
              banners={[
                user.liveResellerId !== null && <TestModeBanner action={switchMode} key="test" />,
                user.actingAs && (
                  <ActingBanner
                    backHref={`/resellers/${user.liveResellerId ?? user.resellerId}`}
                    key="acting"
                    name={user.actingAs.name}
                    stop={stopActing}
                    until={user.actingAs.until.toISOString()}
                  />
                ),
              ].filter(Boolean)}
              controls={
                <>
                  <PaletteButton
                    groups={paletteFor(user.kind, permissions, user.actingAs !== null)}
                    owner={ownerOf(user)}
                    search={search}
                  />
                  {unread !== null && <NotificationBell initial={unread} read={readUnread} />}
                  {wallet}
                  <UserMenu
                    navigation={navigation}
                    settingsHref={isSelf ? "/settings" : undefined}
                    signOut={signOut}
                    user={{ name: user.name, email: user.email, organization }}
                  />
                </>
              }
              owner={ownerOf(user)}
              notice={
                <>
                  <ConnectionNotice />
                  {isSafeMode() && <SafeModeBanner isAdmin={user.kind === "admin"} />}
                  {demoBanner}
                  {factors && hasFewRecoveryCodes(factors) && <RecoveryCodesBanner left={factors.recoveryCodes} />}
                </>
              }
              homeHref={homeOf(user)}
              navigation={navigation}
            >
              {children}
            </AppShell>
            <ProveAgain read={readProof} />
            <SignInAgain
              email={user.email}
              owner={ownerOf(user)}
              issuer={findIssuer()?.name ?? null}
              passkeys={findPasskeySite() !== null}
              readOwner={readOwner}
            />
          </ReaderFormats>
        </TimeZoneProvider>
      </PermissionsProvider>
    </QueryProvider>
  );
}

interface Shell {
  readonly organization: string;
  readonly wallet: ReactNode;
  readonly waiting: Waiting;
  readonly demoAdmin: DemoBannerProps | null;
}

async function readShell(user: SignedInUser): Promise<Shell> {
  const ctx = contextOf(user);
  if (user.kind === "admin") {
    const [{ open }, openTopUps, demoAdmin] = await Promise.all([
      summarizeInbox(ctx),
      countOpenTopUps(ctx),
      findDemoAdmin(ctx),
    ]);
    return {
      organization: "Administration",
      wallet: null,
      waiting: { openCases: open, openTopUps },
      demoAdmin: demoAdmin && presentDemoAdmin(demoAdmin, user),
    };
  }
  const [{ name }, balance] = await Promise.all([getReseller(ctx), may(user, "wallet:read") ? getBalance(ctx) : null]);
  return {
    waiting: { openCases: 0, openTopUps: 0 },
    organization: name,
    demoAdmin: null,
    wallet: balance && <LiveWalletSlot initial={balance} read={readBalance} />,
  };
}

function presentDemoAdmin(
  admin: { readonly userId: number; readonly email: string },
  reader: SignedInUser,
): DemoBannerProps {
  const self = admin.userId === reader.userId;
  return { self, href: self ? "/settings" : `/users?q=${encodeURIComponent(admin.email)}` };
}
