import { FileUp, KeyRound, Plus } from "lucide-react";
import { LicenseListScreen } from "#app/(dashboard)/licenses/list-screen.tsx";
import { SavedViews } from "#app/(dashboard)/views/saved-views.tsx";
import type { PageProps } from "#app/page-props.ts";
import { NoLicenses } from "#components/license/license-list-empty.tsx";
import { licenseListHref, loadLicenseParams } from "#components/license/license-params.ts";
import { Allowed } from "#components/shell/permissions.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, may, requireUserWith } from "#lib/dashboard/session.ts";
import type { SignedInUser } from "#lib/services/user/sign-in.ts";
import { getBalance } from "#lib/services/wallet/balance.ts";

const PATHNAME = "/licenses";
const links = [{ href: "/licenses/import", icon: <FileUp />, label: "Import" }];

export default async function LicensesPage({ searchParams }: PageProps) {
  const [user, view] = await Promise.all([requireUserWith("licenses:read"), loadLicenseParams(searchParams)]);
  const views = <SavedViews href={licenseListHref(view)} list="licenses" user={user} />;
  if (user.kind === "admin") {
    return (
      <LicenseListScreen
        empty={
          <EmptyState
            action={<ButtonLink href={view.reseller === null ? "/resellers" : PATHNAME}>View all resellers</ButtonLink>}
            description="Licenses that resellers register appear here."
            icon={<KeyRound />}
            title="No licenses yet"
          />
        }
        header={(untouched) => <PageHeader actions={!untouched && views} title="Licenses" />}
        pathname={PATHNAME}
        user={user}
        view={view}
      />
    );
  }
  return (
    <LicenseListScreen
      empty={<NoOwnLicenses user={user} />}
      header={(untouched) => (
        <PageHeader
          actions={
            !untouched && (
              <>
                {views}
                <Allowed to="wallet:spend">
                  <ButtonLink
                    href="/licenses/new"
                    icon={<Plus className="size-4 max-[24rem]:hidden" />}
                    variant="primary"
                  >
                    Register license
                  </ButtonLink>
                </Allowed>
              </>
            )
          }
          links={untouched || !may(user, "wallet:spend") ? [] : links}
          title="Licenses"
        />
      )}
      pathname={PATHNAME}
      user={user}
      view={{ ...view, reseller: null }}
    />
  );
}

async function NoOwnLicenses({ user }: { readonly user: SignedInUser }) {
  return <NoLicenses payable={may(user, "wallet:spend") ? (await getBalance(contextOf(user))).spendable > 0n : null} />;
}
