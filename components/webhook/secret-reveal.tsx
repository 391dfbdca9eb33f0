import type { ReactNode } from "react";
import { Banner } from "#components/ui/banner.tsx";
import { CopyText } from "#components/ui/copy-text.tsx";

/** The one look at a signing secret. */
export function SecretReveal({ secret }: { readonly secret: string }) {
  return (
    <div className="flex flex-col gap-3">
      <CopyText copyLabel="Copy signing secret" label="Signing secret" primary value={secret} />
      <Banner title="Copy it now: it is not shown again" tone="caution">
        Anyone who has it can forge messages to your system. If it is lost or leaked, rotate it.
      </Banner>
    </div>
  );
}

/** It was done, but the answer that carried the secret never arrived. */
export function SecretLost({ children }: { readonly children: ReactNode }) {
  return (
    <Banner title="The response with the secret was lost" tone="caution">
      It cannot be shown again. {children}
    </Banner>
  );
}
