import { KeyRound } from "lucide-react";
import { TextLink } from "#components/ui/text-link.tsx";
import { ModeBanner } from "./mode-banner.tsx";

export interface DemoBannerProps {
  /** Where the password is changed, or the user disabled. */
  readonly href: string;
  /** The reader is the demonstration's admin. */
  readonly self: boolean;
}

/** On every page of admins while the demonstration's admin has the password that was printed. */
export function DemoBanner({ href, self }: DemoBannerProps) {
  return (
    <ModeBanner icon={KeyRound} label="Demonstration">
      <strong className="font-semibold">Demonstration.</strong>{" "}
      {self
        ? "Your password was printed at the first start."
        : "An administrator still has the password printed at the first start."}{" "}
      <TextLink href={href}>{self ? "Change it" : "Reset it or disable the user"}</TextLink> before others can reach
      this server.
    </ModeBanner>
  );
}
