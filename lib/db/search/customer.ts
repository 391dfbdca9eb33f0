import type { Database } from "#lib/db/connection/client.ts";
import { statement } from "#lib/db/connection/statement.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { foundRow, MAX_FOUND, ofReseller, resellerColumns } from "./found.ts";

/** Steps from name to name in the index `licenses_by_customer`. `$2`: how the name begins. */
const stepFrom = (condition: string) => `
  select l.id, lower(l.customer_name) collate "C" as name from licenses l
   where l.reseller_id = r.id and l.customer_name <> '' and ${condition}
     and lower(l.customer_name) collate "C" < lower($2) || chr(1114111)
   order by lower(l.customer_name) collate "C", l.id limit 1`;

const findCustomersStatement = statement("find_customers", foundRow)`
      select l.customer_name as id, l.customer_name as label,
             concat_ws(' · ', nullif(l.customer_email, ''), nullif(l.customer_reference, '')) as detail, ${resellerColumns}
        from resellers r
       cross join lateral (
         with recursive customers (id, name) as (
           (${stepFrom('lower(l.customer_name) collate "C" >= lower($2)')})
           union all
           select next.* from customers
            cross join lateral (${stepFrom('lower(l.customer_name) collate "C" > customers.name')}) next
         )
         select id from customers limit ${String(MAX_FOUND)}) first
        join licenses l on l.id = first.id and l.reseller_id = r.id
       where ${ofReseller} order by lower(l.customer_name) collate "C", r.id limit ${String(MAX_FOUND)}`;

/** Customers by the beginning of their name. `resellerId` null: of any reseller. */
export async function findCustomers(db: Database, resellerId: ResellerId | null, beginning: string) {
  return beginning === "" ? [] : db.query(findCustomersStatement, [resellerId, beginning]);
}
