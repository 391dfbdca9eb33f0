import { describeNamed } from "#app/(dashboard)/licenses/suggest.ts";
import { CreateKey } from "#components/api-key/create-key.tsx";
import type { KeyFormStart } from "#components/api-key/key-params.ts";
import { presetNames } from "#components/api-key/scope-presets.ts";
import { publicApiUrl } from "#lib/dashboard/public-url.ts";
import { requireReseller } from "#lib/services/context.ts";
import { create, findLicenses } from "./actions.ts";
import type { KeyPlace } from "./place.ts";

export interface NewKeyScreenProps {
  readonly place: KeyPlace;
  /** As in the address, for pages that lead here for a purpose. */
  readonly start: KeyFormStart;
}

/** The form of a new key. */
export async function NewKeyScreen({ place, start: { preset, license } }: NewKeyScreenProps) {
  const { ctx, path, trail, looked } = place;
  const resellerId = looked?.reseller.resellerId ?? null;
  return (
    <CreateKey
      apiUrl={publicApiUrl()}
      create={create.bind(null, { resellerId })}
      license={{
        text: license ?? "",
        named: license === null ? null : await describeNamed(ctx, license),
        ofReseller: requireReseller(ctx, "licenses:read"),
        search: findLicenses.bind(null, { resellerId }),
      }}
      listHref={path}
      preset={presetNames.find((name) => name === preset) ?? "verify"}
      rateLimit={resellerId !== null}
      signingAvailable={Boolean(ctx.settings.sealingKey)}
      title={`Create an API key${looked === null ? "" : ` · ${looked.reseller.name}`}`}
      trail={[...trail, { label: "API keys", href: path }]}
    />
  );
}
