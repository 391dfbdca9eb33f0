import type { Metadata } from "next";
import { SetPassword } from "#components/auth/set-password.tsx";
import { readLink, setPassword } from "./actions.ts";

export const metadata: Metadata = { title: "Choose a password" };

/** Where invitations and messages about forgotten passwords lead. The browser keeps the token to itself until it is used. */
export default function SetPasswordPage() {
  return <SetPassword read={readLink} set={setPassword} />;
}
