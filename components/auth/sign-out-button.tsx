"use client";
import { Button } from "#components/ui/button.tsx";
import { ToastRegion } from "#components/ui/toast-region.tsx";
import { leave } from "./leave.ts";

/** For pages without the shell, whose toasts it shows. */
export function SignOutButton({ signOut }: { readonly signOut: () => Promise<void> }) {
  return (
    <>
      <Button className="self-center" onClick={() => leave(signOut)} variant="ghost">
        Sign out
      </Button>
      <ToastRegion />
    </>
  );
}
