import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import { oneOf, text } from "#lib/db/connection/columns.ts";
import { defineFind } from "#lib/db/connection/define.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { webhookFormats } from "#lib/domain/webhook-format.ts";
import { webhookEndpointColumns, webhookEndpointRow } from "./endpoint.ts";

const webhookSealing = { format: oneOf(webhookFormats), sealId: text };
/** The id that the endpoint's secrets are sealed for, and what they are; null: no such endpoint. */
export const findWebhookSealing = defineFind("find_webhook_sealing", webhookSealing)<
  [resellerId: ResellerId, id: number]
>`
      select format, seal_id as "sealId" from webhook_endpoints where reseller_id = $1 and id = $2`;

/** The current secret becomes the previous one, which also signs until then. Null: no such endpoint. */
export const rotateWebhookSecretRow = defineFind("rotate_webhook_secret", webhookEndpointRow).values(
  (
    resellerId: ResellerId,
    id: number,
    {
      secret,
      previousUntil,
      by,
    }: { readonly secret: Uint8Array; readonly previousUntil: Date; readonly by: ChangedBy },
  ) => [resellerId, id, secret, previousUntil, ...changeValues(by)],
)`
      with changed as (
        update webhook_endpoints set previous_secret = secret, previous_secret_until = $4, secret = $3, updated_at = $6
         where reseller_id = $1 and id = $2 returning *
      ), audited as (
        select write_audit_entry($5, 'webhook.rotate_secret', c.reseller_id, 'webhook_endpoint:' || c.id, '',
                 jsonb_build_object('old_secret_until', $4::timestamptz), $6, $7, c.url)
          from changed c
      )
      select ${webhookEndpointColumns} from changed cross join audited`;
