"use client";
import { type ComponentType, useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

/**
 * A dialog whose code comes when it is opened. Code that cannot be loaded, without a connection or after an update,
 * leaves the page as it is; React's `lazy` would replace it, and never try again.
 */
export function loadDialog<Props extends object>(load: () => Promise<{ readonly default: ComponentType<Props> }>) {
  return function LoadedDialog({ props, onGiveUp }: { readonly props: Props; readonly onGiveUp: () => void }) {
    const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(null);
    const [attempt, setAttempt] = useState(0);
    const [failed, setFailed] = useState(-1);

    useEffect(() => {
      load().then(
        (module) => setLoaded(() => module.default),
        () => setFailed(attempt),
      );
    }, [attempt]);

    if (Loaded) return <Loaded {...props} />;
    if (failed !== attempt) return null;
    return (
      <Dialog
        description="Check your connection. What you have typed stays on the page. If this remains, reload the page: License Desk may have been updated."
        footer={
          <>
            <Button onClick={() => window.location.reload()}>Reload page</Button>
            <Button data-autofocus onClick={() => setAttempt(attempt + 1)} variant="primary">
              Try again
            </Button>
          </>
        }
        onClose={onGiveUp}
        size="sm"
        title="A part of the page could not be loaded"
      />
    );
  };
}
