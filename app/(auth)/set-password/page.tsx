import { SetPassword } from "#components/auth/set-password.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { readLink, setPassword } from "./actions.ts";

/** Where invitations and messages about forgotten passwords lead. The browser keeps the token to itself until it is used. */
export default function SetPasswordPage() {
  return (
    <>
      <PageTitle>Choose a password</PageTitle>
      <SetPassword read={readLink} set={setPassword} />
    </>
  );
}
