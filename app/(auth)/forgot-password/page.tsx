import type { Metadata } from "next";
import { ForgotPassword } from "#components/auth/forgot-password.tsx";
import { requestLink } from "./actions.ts";

export const metadata: Metadata = { title: "Forgot your password?" };

export default function ForgotPasswordPage() {
  return <ForgotPassword request={requestLink} />;
}
