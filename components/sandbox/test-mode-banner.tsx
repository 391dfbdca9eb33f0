import { FlaskConical } from "lucide-react";
import { ModeBanner } from "#components/shell/mode-banner.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { SwitchMode, type SwitchModeProps } from "./switch-mode.tsx";

/** On every page in test mode. */
export function TestModeBanner({ action }: Pick<SwitchModeProps, "action">) {
  return (
    <ModeBanner
      button={
        <SwitchMode action={action} size="sm" testMode={false}>
          Leave
        </SwitchMode>
      }
      icon={FlaskConical}
      label="Test mode"
      short={<strong className="font-semibold">Test mode</strong>}
    >
      <strong className="font-semibold">Test mode.</strong> Play money, and no real license.{" "}
      <Allowed to="sandbox:write">
        <TextLink href="/test-mode">Rehearse</TextLink>
      </Allowed>
    </ModeBanner>
  );
}
