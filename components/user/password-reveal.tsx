import { Banner } from "#components/ui/banner.tsx";
import { SecretText } from "#components/ui/secret-text.tsx";
import type { PasswordShown } from "./user.ts";

/** The one look at a password for one sign-in. */
export function PasswordReveal({ email, oneTimePassword }: PasswordShown) {
  if (oneTimePassword === null) {
    return (
      <Banner title="The answer with the password got lost" tone="caution">
        It was made, but nobody has it, and it is not shown again. Make another with “Reset password”.
      </Banner>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <SecretText copyLabel="Copy email" label="Email" value={email} />
      <SecretText copyLabel="Copy one-time password" label="One-time password" value={oneTimePassword} />
      <Banner title="Copy it now: it is not shown again" tone="caution">
        Hand both over in a way that you trust. The password works for 7 days, and at the first sign-in another has to
        be chosen.
      </Banner>
    </div>
  );
}
