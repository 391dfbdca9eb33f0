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
        description="With the agent, a server reports every hour: whether its license verifies there, its free disk, its clock, and that it is up. Problems are listed here, worst first. Each license’s page makes the line that installs it."
        icon={<Server aria-hidden />}
        title="No server reports yet"
      />
    </Card>
  );
}
