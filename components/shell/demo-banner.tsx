import { KeyRound } from "lucide-react";
import { TextLink } from "#components/ui/text-link.tsx";

export interface DemoBannerProps {
  /** Where the password is changed, or the user disabled. */
  readonly href: string;
  /** The reader is the demonstration's admin. */
  readonly self: boolean;
}

/** On every page of admins while the demonstration's admin has the password that was printed. */
export function DemoBanner({ href, self }: DemoBannerProps) {
  return (
    <section aria-label="Demonstration" className="border-b border-caution/40 bg-caution-soft text-sm">
      <p className="mx-auto flex min-h-10 max-w-6xl items-center gap-2 px-4 py-1 md:px-8">
        <KeyRound aria-hidden className="size-4 shrink-0 text-caution" />
        <span>
          <strong className="font-semibold">Demonstration.</strong>{" "}
          {self
            ? "Your password was printed at the first start."
            : "An admin has the password that was printed at the first start."}{" "}
          <TextLink href={href} prefetch={false}>
            {self ? "Change it" : "Reset it or disable the user"}
          </TextLink>{" "}
          before others can reach this server.
        </span>
      </p>
    </section>
  );
}
