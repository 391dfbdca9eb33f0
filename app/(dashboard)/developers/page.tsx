import { KeySquare } from "lucide-react";
import { ApiAddresses } from "#components/api-key/api-addresses.tsx";
import { CreateFirstKey } from "#components/api-key/create-first-key.tsx";
import { DeveloperLinks } from "#components/api-key/developer-links.tsx";
import { UsageTable } from "#components/api-key/usage-table.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { publicApiUrl } from "#lib/dashboard/public-url.ts";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { listApiKeys } from "#lib/services/api-key/list.ts";
import { listKeyUsage } from "#lib/services/api-key/list-usage.ts";

const KEYS_PATH = "/api-keys";
const MAX_SHOWN = 10;

export default async function DevelopersPage() {
  const ctx = contextOf(await requireResellerUser("keys:read"));
  const [usage, { rows: keys }] = await Promise.all([listKeyUsage(ctx), listApiKeys(ctx, { limit: 1 })]);
  const hasKey = keys.length > 0;
  return (
    <>
      <PageHeader description="Connect your programs, and see what they do." title="Developers" />
      <div className="flex flex-col gap-5">
        {!hasKey && (
          <Card flush>
            <EmptyState
              action={<CreateFirstKey keysPath={KEYS_PATH} />}
              description="Every request needs a key. With the new key you get a request to try."
              icon={<KeySquare />}
              title="Start with an API key"
            />
          </Card>
        )}
        <ApiAddresses url={publicApiUrl()} />
        <DeveloperLinks />
        {hasKey && (
          <Card
            description="The busiest minute of each key in the last hour, those closest to their limit first."
            flush={usage.length > 0}
            title="Rate limits"
          >
            {usage.length === 0 ? (
              <p className="text-sm text-text-muted">No key was used in the last hour.</p>
            ) : (
              <UsageTable keysPath={KEYS_PATH} rows={usage.slice(0, MAX_SHOWN)} />
            )}
          </Card>
        )}
      </div>
    </>
  );
}
