import { Server } from "lucide-react";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { InstallAgent } from "./install-agent.tsx";

/** Before any server reports: why it is worth it, and how. `origin`: where the desk is. */
export function NoServers({ origin }: { readonly origin: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)]">
      <Card>
        <EmptyState
          description="With the agent, a server reports every hour: whether its license verifies there, its free disk, its clock, and that it is up. Problems are listed here, worst first."
          icon={<Server aria-hidden />}
          title="No server reports yet"
        />
      </Card>
      <Card title="Install the agent">
        <InstallAgent licenseKeys={[]} origin={origin} />
      </Card>
    </div>
  );
}
