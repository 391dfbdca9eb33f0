import { KeySquare } from "lucide-react";
import { ResellerHeader } from "#app/(dashboard)/resellers/[id]/header.tsx";
import { describeKey } from "#components/api-key/api-key.ts";
import { CreateFirstKey } from "#components/api-key/create-first-key.tsx";
import { type KeyListView, keyListHref } from "#components/api-key/key-params.ts";
import { KeyTable } from "#components/api-key/key-table.tsx";
import { keyStates } from "#components/api-key/request-filter.ts";
import { CreateLink } from "#components/shell/create-link.tsx";
import { chipsOf, FilterChips } from "#components/ui/filter-chips.tsx";
import { ListCard } from "#components/ui/list-card.tsx";
import { onward } from "#components/ui/list-params.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import type { ApiKeyId } from "#lib/domain/ids.ts";
import { listApiKeys } from "#lib/services/api-key/list.ts";
import type { KeyPlace } from "./place.ts";

/** The list of keys, of one's own or of a reseller. */
export async function KeyListScreen({ place, view }: { readonly place: KeyPlace; readonly view: KeyListView }) {
  const { ctx, path, looked } = place;
  const { state, of } = view;
  const agents = of === "agents";
  const page = await listApiKeys(ctx, { state, bound: agents, before: view.before as ApiKeyId | null });
  const filtered = state !== null || view.before !== null;
  const hasKeys = page.rows.length > 0 || filtered || agents;
  const create = hasKeys && (
    <CreateLink href={`${path}/new`} to="keys:write">
      Create key
    </CreateLink>
  );
  return (
    <>
      {looked === null ? (
        <PageHeader actions={create} title="API keys" />
      ) : (
        <ResellerHeader actions={create} of={looked} page="API keys" />
      )}
      {hasKeys && (
        <div className="mb-3">
          <FilterChips
            chips={[
              { label: "Agent keys", href: keyListHref(path, { of: agents ? null : "agents", state }), active: agents },
              ...chipsOf(keyStates, state, (state) => keyListHref(path, { of, state })),
            ]}
            clearHref={path}
            label="Filter the keys"
          />
        </div>
      )}
      <ListCard
        empty={
          agents
            ? noAgentKeys
            : {
                action: <CreateFirstKey keysPath={path} />,
                description: "Let a program use your account. One key per program.",
                icon: <KeySquare />,
                title: "No API keys yet",
              }
        }
        filter={{
          view: { state },
          clearHref: keyListHref(path, { of }),
          title: "No key matches",
          none: "No key is in this state.",
        }}
        page={page}
        pages={onward((before) => keyListHref(path, { of, state, before }), view.before, page.next)}
      >
        <KeyTable keys={page.rows.map((key) => describeKey(key, path, ctx.now()))} />
      </ListCard>
    </>
  );
}

const noAgentKeys = {
  description:
    "Each key that installs the agent on a server is listed here: open a license to create its install command.",
  icon: <KeySquare />,
  title: "No agent keys yet",
};
