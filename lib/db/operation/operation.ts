import type { Database } from "#lib/db/connection/client.ts";
import { as, bigint, int, jsonObject, nullable, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { findRow, type RowOf, statement } from "#lib/db/connection/statement.ts";
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

const findOwnOperationStatement = statement(
  "find_own_operation",
  operationRow,
)`select ${operationColumns} from operations where id = $1 and reseller_id = $2`;

export async function findOwnOperation(
  db: Database,
  resellerId: ResellerId,
  id: OperationId,
): Promise<OperationRow | null> {
  return findRow(db, findOwnOperationStatement, [id, resellerId]);
}

const findOperationStatement = statement(
  "find_operation",
  operationRow,
)`select ${operationColumns} from operations where id = $1`;

export async function findOperation(db: Database, id: string): Promise<OperationRow | null> {
  return findRow(db, findOperationStatement, [id]);
}
