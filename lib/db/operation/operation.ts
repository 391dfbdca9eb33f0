import { as, bigint, int, jsonObject, nullable, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineFind } from "#lib/db/connection/define.ts";
import type { RowOf } from "#lib/db/connection/statement.ts";
import { OperationState } from "#lib/db/generated/enums.ts";
import type { OperationId, ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { operationKinds } from "#lib/domain/operation.ts";

export const operationRow = {
  id: text,
  kind: oneOf(operationKinds),
  state: oneOf(OperationState),
  reseller_id: int,
  license_id: nullable(int),
  bundle_instance_id: nullable(int),
  hold_amount: bigint,
  price: bigint,
  currency: as<Currency>(text),
  /** Read it with `readPlan`. */
  plan: jsonObject,
  balance_after: nullable(bigint),
  failure_message: nullable(text),
  attempt: int,
  request_id: text,
  lease_token: text,
  created_at: timestamp,
  sent_at: nullable(timestamp),
  settled_at: nullable(timestamp),
};
export const operationColumns = Object.keys(operationRow).join(", ");
export type OperationRow = RowOf<typeof operationRow>;
export type OperationKey = Pick<OperationRow, "id" | "reseller_id">;

export const findOwnOperation = defineFind("find_own_operation", operationRow)<
  [resellerId: ResellerId, id: OperationId]
>`
      select ${operationColumns} from operations where id = $2 and reseller_id = $1`;

export const findOperation = defineFind("find_operation", operationRow)<[id: string]>`
      select ${operationColumns} from operations where id = $1`;
