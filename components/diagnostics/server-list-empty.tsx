import { Server } from "lucide-react";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

/** Before any server reports: why it is worth it, and how. */
export function NoServers() {
  return (
    <Card>
      <EmptyState
        action={
          <ButtonLink href="/licenses" variant="primary">
            Choose a license
          </ButtonLink>
        }
        description="Every hour, the agent reports whether the license verifies, the free disk and the clock. The install command is on each license’s page."
        icon={<Server />}
        title="No server reports yet"
      />
    </Card>
  );
}
