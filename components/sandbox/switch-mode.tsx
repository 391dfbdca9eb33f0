"use client";
import type { switchMode } from "#app/(dashboard)/test-mode/actions.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button, type ButtonProps } from "#components/ui/button.tsx";

export interface SwitchModeProps extends Pick<ButtonProps, "size" | "variant"> {
  readonly testMode: boolean;
  readonly children: string;
  readonly action: typeof switchMode;
}

/** Switches the session to test mode, or back. */
export function SwitchMode({ testMode, children, action, ...look }: SwitchModeProps) {
  const { pending, send } = useSubmission(
    action,
    () => {
      // A page load, not a navigation: nothing of the other mode stays in memory.
      window.location.assign(testMode ? "/test-mode" : "/overview");
      return true;
    },
    { notDone: "The mode was not switched" },
  );
  return (
    <Button {...look} loading={pending} onClick={() => void send({ testMode })}>
      {children}
    </Button>
  );
}
