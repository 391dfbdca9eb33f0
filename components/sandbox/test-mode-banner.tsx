import { FlaskConical } from "lucide-react";
import { TextLink } from "#components/ui/text-link.tsx";
import { SwitchMode, type SwitchModeProps } from "./switch-mode.tsx";

/** On every page in test mode. */
export function TestModeBanner({ action }: Pick<SwitchModeProps, "action">) {
  return (
    <section aria-label="Test mode" className="border-b border-caution bg-caution-soft text-sm">
      <div className="mx-auto flex min-h-10 max-w-6xl items-center gap-4 px-4 py-1 md:px-8">
        <p className="flex min-w-0 flex-1 items-center gap-2">
          <FlaskConical aria-hidden className="size-4 shrink-0 text-caution" />
          <span>
            <strong className="font-semibold">Test mode.</strong> Play money, and no real license.{" "}
            <TextLink href="/test-mode">Rehearse</TextLink>
          </span>
        </p>
        <SwitchMode action={action} size="sm" testMode={false}>
          Leave
        </SwitchMode>
      </div>
    </section>
  );
}
