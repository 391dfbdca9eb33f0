import { redirect } from "next/navigation";
import { readProof, signOut } from "#app/(dashboard)/actions.ts";
import { addPasskey, confirmTotp, startPasskey, startTotp } from "#app/(dashboard)/settings/actions.ts";
import { ProveAgain } from "#components/auth/prove-again.tsx";
import { SignOutButton } from "#components/auth/sign-out-button.tsx";
import { FirstFactor } from "#components/settings/first-factor.tsx";
import { Card } from "#components/ui/card.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { findPasskeySite } from "#lib/dashboard/passkey-site.ts";
import { contextOf, findUser, ownerOf } from "#lib/dashboard/session.ts";
import { getOwnFactors } from "#lib/services/user/own-factors.ts";

/** Where users without a required second factor come, and nowhere else. */
export default async function SecondFactorPage() {
  const user = await findUser("second_factor");
  if (!user || user.actingAs) redirect("/");
  const { isRequired } = await getOwnFactors(contextOf(user));
  if (!isRequired) redirect("/");
  return (
    <div className="contents" data-owner={ownerOf(user)}>
      <PageTitle>Set up two-step sign-in</PageTitle>
      <div className="text-center">
        <h1 className="font-semibold text-xl tracking-tight">Set up two-step sign-in</h1>
        <p className="mt-1 text-pretty text-text-muted">
          {user.kind === "admin"
            ? "Admins need a second factor on a server that others can reach."
            : "Your team requires it. A stolen password is then not enough to sign in."}
        </p>
      </div>
      <Card>
        <FirstFactor
          actions={{ start: startTotp, confirm: confirmTotp }}
          isDone={!user.mustAddFactor}
          passkeyActions={{ start: startPasskey, add: addPasskey }}
          passkeysAllowed={findPasskeySite() !== null}
        />
      </Card>
      <SignOutButton signOut={signOut} />
      <ProveAgain read={readProof} />
    </div>
  );
}
