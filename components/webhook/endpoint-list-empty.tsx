import { Webhook } from "lucide-react";
import { Allowed } from "#components/shell/permissions.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

export function NoEndpoints() {
  return (
    <EmptyState
      action={
        <Allowed to="webhooks:write">
          <ButtonLink href="/webhooks/new" variant="primary">
            Add your first endpoint
          </ButtonLink>
        </Allowed>
      }
      description="Enter your system's URL, and it receives every change within seconds: a license registered, renewed, or expired, or a balance running low. Every message is signed."
      icon={<Webhook />}
      title="No endpoints yet"
    />
  );
}
