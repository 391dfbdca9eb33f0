import { SetPassword } from "#components/auth/set-password.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { findUser } from "#lib/dashboard/session.ts";
import { readLink, setPassword } from "./actions.ts";

/** Where invitations and messages about forgotten passwords lead. The browser keeps the token to itself until it is used. */
export default async function SetPasswordPage() {
  const user = await findUser();
  return (
    <>
      <PageTitle>Choose a password</PageTitle>
      <SetPassword read={readLink} set={setPassword} signedIn={user && { userId: user.userId, name: user.name }} />
    </>
  );
}
