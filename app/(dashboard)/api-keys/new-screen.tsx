import { CreateKey } from "#components/api-key/create-key.tsx";
import { presetNames } from "#components/api-key/scope-presets.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { publicApiUrl } from "#lib/dashboard/public-url.ts";
import { create } from "./actions.ts";
import type { KeyPlace } from "./place.ts";

/** The form of a new key. `preset`: as in the address, for pages that lead here for a purpose. */
export function NewKeyScreen({ place, preset }: { readonly place: KeyPlace; readonly preset: string | null }) {
  const { ctx, path, trail, resellerId } = place;
  return (
    <>
      <PageHeader title="Create an API key" trail={[...trail, { label: "API keys", href: path }]} />
      <CreateKey
        apiUrl={publicApiUrl()}
        create={create.bind(null, { resellerId })}
        listHref={path}
        preset={presetNames.find((name) => name === preset) ?? "verify"}
        rateLimit={resellerId !== null}
        signingAvailable={Boolean(ctx.settings.sealingKey)}
      />
    </>
  );
}
