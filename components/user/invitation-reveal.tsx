import { Banner } from "#components/ui/banner.tsx";
import { CopyText } from "#components/ui/copy-text.tsx";
import type { Invited } from "./user.ts";

/** What happens with an invitation: it is mailed, or handed over by whoever sees this. */
export function InvitationReveal({ email, isMailed, invitationUrl }: Invited) {
  if (isMailed) {
    return (
      <Banner title="The invitation is on its way" tone="positive">
        {email} gets a link to choose a password. It works once, for 7 days.
      </Banner>
    );
  }
  if (invitationUrl === null) {
    return (
      <Banner title="The response with the link was lost" tone="caution">
        User invited. An administrator finds the link in the outbox, or can reset the password.
      </Banner>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <CopyText copyLabel="Copy link" label={`Invitation for ${email}`} primary value={invitationUrl} />
      <Banner title="Copy it now: no mail server is configured" tone="caution">
        Share it over a channel that you trust. It works once, for 7 days; they choose their own password.
      </Banner>
    </div>
  );
}
