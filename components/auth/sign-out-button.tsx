"use client";
import { Button } from "#components/ui/button.tsx";
import { leave } from "./leave.ts";

export function SignOutButton({ signOut }: { readonly signOut: () => Promise<void> }) {
  return (
    <Button className="self-center" onClick={() => leave(signOut)} variant="ghost">
      Sign out
    </Button>
  );
}
