import { RequestLog } from "#app/(dashboard)/developers/request-log.tsx";
import { describeNamed } from "#app/(dashboard)/licenses/suggest.ts";
import { idIn, orNotFound } from "#app/(dashboard)/or-not-found.ts";
import { describeKey } from "#components/api-key/api-key.ts";
import { KeyActions } from "#components/api-key/key-actions.tsx";
import { KeyFacts } from "#components/api-key/key-facts.tsx";
import { KeyNotice } from "#components/api-key/key-notice.tsx";
import type { RequestView } from "#components/api-key/key-params.ts";
import { KeyStateBadge } from "#components/api-key/key-state-badge.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { formatLicenseId } from "#lib/domain/ids.ts";
import { getApiKey } from "#lib/services/api-key/get.ts";
import { listKeyUsage } from "#lib/services/api-key/list-usage.ts";
import { revoke, rotate, setRateLimit, setSpendingLimit } from "./actions.ts";
import type { KeyPlace } from "./place.ts";

export interface KeyScreenProps {
  readonly place: KeyPlace;
  /** As in the address. */
  readonly id: string;
  readonly view: RequestView;
}

/** One key, and the requests with it. */
export async function KeyScreen({ place, id, view }: KeyScreenProps) {
  const { ctx, path, trail } = place;
  const resellerId = place.looked?.reseller.resellerId ?? null;
  const key = describeKey(await orNotFound(getApiKey(ctx, { apiKeyId: idIn(id) })), path, ctx.now());
  const [[usage = null], license] = await Promise.all([
    listKeyUsage(ctx, key),
    key.licenseId === null ? null : describeNamed(ctx, formatLicenseId(key.licenseId)),
  ]);
  return (
    <>
      <PageHeader
        actions={
          <KeyActions
            actions={{
              rotate: rotate.bind(null, { resellerId }),
              revoke: revoke.bind(null, { resellerId }),
              setSpendingLimit: setSpendingLimit.bind(null, { resellerId }),
              setRateLimit: resellerId === null ? null : setRateLimit.bind(null, { resellerId }),
            }}
            key={key.apiKeyId}
            keyDetails={key}
          />
        }
        badge={<KeyStateBadge state={key.state} />}
        heading={key.name}
        title={`${key.name} · API keys`}
        trail={[...trail, { label: "API keys", href: path }]}
      />
      <div className="flex flex-col gap-5">
        <KeyNotice keyDetails={key} />
        <KeyFacts keyDetails={key} license={license} usage={usage} />
        <RequestLog apiKeyId={key.apiKeyId} ctx={ctx} path={key.href} view={{ ...view, key: null }} />
      </div>
    </>
  );
}
