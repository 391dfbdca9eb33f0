import type { Metadata } from "next";
import { ConfirmEmail } from "#components/auth/confirm-email.tsx";
import { confirm, readChange } from "./actions.ts";

export const metadata: Metadata = { title: "Confirm an email address" };

/** Where the messages about a change of an email address lead. */
export default function ConfirmEmailPage() {
  return <ConfirmEmail confirm={confirm} read={readChange} />;
}
