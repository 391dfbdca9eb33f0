import type { TargetRules } from "#lib/domain/public-address.ts";
import type { SealingKey } from "#lib/domain/sealed-secret.ts";
import type { TargetLimits } from "#lib/domain/webhook-limits.ts";
import type { MailSettings } from "./mail/settings.ts";

/** What the operator has set, for all services. */
export interface ServiceSettings {
  readonly apiKeyPepper: string;
  /** Encrypts stored credentials and signing secrets; without it they can be neither stored nor used. */
  readonly sealingKey?: SealingKey | null;
  /** Time until an unknown outcome becomes a case for an admin. */
  readonly inboxAfterMs: number;
  /** Whether `GET /diagnostics` may report on the host that answers (contract 2.5). */
  readonly liveDiagnostics: boolean;
  /** Permits plain http for providers; default: https only. */
  readonly allowHttpProviders?: boolean;
  /** Permitted webhook targets (contract 4.4); default: https on public addresses. */
  readonly webhookTargets?: TargetRules;
  /** Telegram's Bot API; default: `TELEGRAM_API_URL`. */
  readonly telegramUrl?: string;
  /** Request limits per webhook host; default: `DEFAULT_TARGET_LIMITS`. */
  readonly webhookLimits?: TargetLimits;
  /** Default: no mail server. */
  readonly mail?: MailSettings;
  /** Default: no. */
  readonly adminsNeedFactor?: boolean;
}
