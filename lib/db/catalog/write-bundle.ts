import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import { int } from "#lib/db/connection/columns.ts";
import { defineAny, defineFindValue } from "#lib/db/connection/define.ts";

export interface BundleFields {
  readonly name: string;
  readonly description: string;
  /** In the order in which they are provisioned and shown. */
  readonly productIds: readonly number[];
}

/** Null: a bundle on sale has this name. */
export const insertBundle = defineFindValue("insert_bundle", { id: int }).values(
  ({ name, description, productIds }: BundleFields, by: ChangedBy) => {
    return [name, description, productIds, ...changeValues(by)];
  },
)`
      with made as (
        insert into bundles (name, description)
        select $1, $2 where not exists (select from bundles b where lower(b.name) = lower($1) and b.retired_at is null)
        returning *
      ), members as (
        insert into bundle_members (bundle_id, product_id, position)
        select made.id, m.id, m.place - 1 from made, unnest($3::int[]) with ordinality m (id, place)
      )
      select id, write_audit_entry($4, 'catalog.create_bundle', null, 'bundle:' || id, '',
               jsonb_build_object('members', to_jsonb($3::int[])), $5, $6, name)
        from made`;

/** Whether another bundle on sale has this name, ignoring case. */
export const isBundleNameTaken = defineAny("has_namesake")<[bundleId: number, name: string]>`
      select from bundles where id <> $1 and retired_at is null and lower(name) = lower($2)`;

/** Updates name, description and members atomically. False: another version exists. */
export const updateBundleRow = defineAny("update_bundle").values(
  (id: number, { name, description, productIds }: BundleFields, seenVersion: string, by: ChangedBy) => {
    return [id, name, description, productIds, seenVersion, ...changeValues(by)];
  },
)`
      with changed as (
        update bundles b set name = $2, description = $3 from bundles old
         where b.id = $1 and old.id = b.id and b.xmin::text = $5
        returning b.id, b.name, b.description, old.name as old_name, old.description as old_description
      ), gone as (
        delete from bundle_members m using changed c where m.bundle_id = c.id returning m.product_id, m.position
      ), former as (
        select coalesce(jsonb_agg(product_id order by position), '[]') as members from gone
      ), members as (
        insert into bundle_members (bundle_id, product_id, position)
        select c.id, m.id, m.place - 1
          -- The insert reads the result of the delete, which fixes their order.
          from changed c cross join former cross join unnest($4::int[]) with ordinality m (id, place)
      )
      select write_audit_entry($6, 'catalog.update_bundle', null, 'bundle:' || id, '', jsonb_build_object('changes', changes_between(
               jsonb_build_object('name', old_name, 'description', old_description, 'members', former.members),
               jsonb_build_object('name', name, 'description', description, 'members', to_jsonb($4::int[])))), $7, $8, name)
        from changed cross join former`;
