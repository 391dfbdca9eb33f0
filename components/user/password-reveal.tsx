import { Banner } from "#components/ui/banner.tsx";
import { CopyText } from "#components/ui/copy-text.tsx";
import type { PasswordShown } from "./user.ts";

/** The one look at a password for one sign-in. */
export function PasswordReveal({ email, oneTimePassword }: PasswordShown) {
  if (oneTimePassword === null) {
    return (
      <Banner title="The response with the password was lost" tone="caution">
        The password was set, but no one has seen it and it cannot be shown again. An administrator can set another one
        with “Reset password”.
      </Banner>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <CopyText copyLabel="Copy email" label="Email" value={email} />
      <CopyText copyLabel="Copy one-time password" label="One-time password" primary value={oneTimePassword} />
      <Banner title="Copy it now: it is not shown again" tone="caution">
        Share both over a channel that you trust. The password works for 7 days; at the first sign-in they choose their
        own.
      </Banner>
    </div>
  );
}
