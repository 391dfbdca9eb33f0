import { ConfirmEmail } from "#components/auth/confirm-email.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { confirm, readChange } from "./actions.ts";

/** Where the messages about a change of an email address lead. */
export default function ConfirmEmailPage() {
  return (
    <>
      <PageTitle>Confirm an email address</PageTitle>
      <ConfirmEmail confirm={confirm} read={readChange} />
    </>
  );
}
