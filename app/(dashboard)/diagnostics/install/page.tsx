import type { Metadata } from "next";
import { InstallAgent } from "#components/diagnostics/install-agent.tsx";
import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { publicOrigin } from "#lib/dashboard/public-url.ts";
import { requireResellerUser } from "#lib/dashboard/session.ts";

export const metadata: Metadata = { title: "Install the agent" };

/** For any server; the page of a license's server has the same with its keys filled in. */
export default async function InstallAgentPage() {
  await requireResellerUser("diagnostics:read");
  return (
    <>
      <PageHeader
        description="A server with the agent verifies its license and reports every hour."
        title="Install the agent"
        trail={[{ label: "Diagnostics", href: "/diagnostics" }]}
      />
      <Card className="max-w-3xl">
        <InstallAgent licenseKeys={[]} origin={publicOrigin()} />
      </Card>
    </>
  );
}
