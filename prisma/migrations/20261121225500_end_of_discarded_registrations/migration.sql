-- AlterTable
ALTER TABLE "discarded_registrations" ADD COLUMN     "ends_at" TIMESTAMPTZ(3);

update discarded_registrations set ends_at = (license ->> 'expires_at')::timestamptz;

ALTER TABLE "discarded_registrations" ALTER COLUMN "ends_at" SET NOT NULL;

-- CreateIndex
CREATE INDEX "discarded_registrations_ends_at_idx" ON "discarded_registrations"("ends_at");

-- As before, and with the end of its term: by then a provider that did it after all holds nothing any more.
create or replace function keep_discarded_registration() returns trigger language plpgsql as $$
begin
  insert into discarded_registrations (license_key, operation_id, license, bundle_instance, ends_at)
  values (old.key, old.open_operation_id, to_jsonb(old),
          (select to_jsonb(b) from bundle_instances b where b.id = old.bundle_instance_id), old.expires_at);
  return old;
end $$;
