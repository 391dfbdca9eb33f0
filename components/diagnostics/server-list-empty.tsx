import { SearchX, Server } from "lucide-react";
import { ButtonLink } from "#components/ui/button-link.tsx";
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

/** `filtered`: a filter is the reason; otherwise it is a page beyond the end. */
export function NoServerFound({ filtered }: { readonly filtered: boolean }) {
  return (
    <EmptyState
      action={<ButtonLink href="/diagnostics">{filtered ? "Clear filters" : "Show the worst"}</ButtonLink>}
      description={
        filtered
          ? "The search looks at any part of a host name or address."
          : "The list is shorter than when this page was linked to."
      }
      icon={<SearchX aria-hidden />}
      title={filtered ? "No server matches" : "There is nothing on this page"}
    />
  );
}
