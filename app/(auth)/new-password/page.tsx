import { redirect } from "next/navigation";
import { signOut } from "#app/(dashboard)/actions.ts";
import { SignOutButton } from "#components/auth/sign-out-button.tsx";
import { PasswordForm } from "#components/settings/password-form.tsx";
import { Card } from "#components/ui/card.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { findSessionUser, ownerOf } from "#lib/dashboard/session.ts";
import { setPassword } from "./actions.ts";

/** Where a one-time password leads, and nowhere else. */
export default async function NewPasswordPage() {
  const user = await findSessionUser();
  if (!user?.mustChangePassword) redirect("/");
  return (
    <div className="contents" data-owner={ownerOf(user)}>
      <PageTitle>Choose a password</PageTitle>
      <div className="text-center">
        <h1 className="font-semibold text-xl tracking-tight">Choose a password</h1>
        <p className="mt-1 text-pretty text-text-muted">
          Welcome, {user.name}. Replace the password that you were given to continue.
        </p>
      </div>
      <Card>
        <PasswordForm action={setPassword} oneTime />
      </Card>
      <SignOutButton signOut={signOut} />
    </div>
  );
}
