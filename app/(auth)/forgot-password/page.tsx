import { ForgotPassword } from "#components/auth/forgot-password.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { requestLink } from "./actions.ts";

export default function ForgotPasswordPage() {
  return (
    <>
      <PageTitle>Forgot your password?</PageTitle>
      <ForgotPassword request={requestLink} />
    </>
  );
}
