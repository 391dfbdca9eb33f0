import { LifeBuoy } from "lucide-react";
import { TextLink } from "#components/ui/text-link.tsx";
import { countText } from "#lib/domain/count-text.ts";
import { ModeBanner } from "./mode-banner.tsx";

/** On every page of a user with two-step sign-in who has used up most recovery codes. */
export function RecoveryCodesBanner({ left }: { readonly left: number }) {
  return (
    <ModeBanner icon={LifeBuoy} label="Recovery codes">
      <strong className="font-semibold">
        {left === 0 ? "No recovery code is left." : `Only ${countText(left, "recovery code")} left.`}
      </strong>{" "}
      <TextLink href="/settings">Replace them</TextLink> before you lose your second factor: without a code only an
      administrator can let you in.
    </ModeBanner>
  );
}
