import type { HealthLine } from "#components/overview/health.ts";
import { countText } from "#lib/domain/count-text.ts";
import type { ProviderSummary } from "#lib/services/provider/list.ts";
import { describeProvider } from "./provider.ts";
import { providerBadges } from "./provider-state-badge.tsx";

/** A provider on the overview. */
export function providerHealth(provider: ProviderSummary): HealthLine {
  const { name, href, state, openOperations, health } = describeProvider(provider);
  const { tone, text } = providerBadges[state];
  const open = countText(openOperations, "change is open", "changes are open");
  const failure = health?.lastFailure ? `Last failure: ${health.lastFailure.message}` : "";
  return {
    id: name,
    name,
    href,
    tone,
    state: text,
    detail: `${openOperations === 0 ? "No change is open" : open}. ${failure}`.trim(),
  };
}
