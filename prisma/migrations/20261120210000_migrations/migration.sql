-- CreateTable
CREATE TABLE "migration_addresses" (
    "reseller_id" INTEGER NOT NULL,
    "ip_address" TEXT NOT NULL,
    "job_id" INTEGER NOT NULL,

    CONSTRAINT "migration_addresses_pkey" PRIMARY KEY ("reseller_id","ip_address")
);

-- CreateIndex
CREATE INDEX "migration_addresses_job_id_idx" ON "migration_addresses"("job_id");

-- AddForeignKey
ALTER TABLE "migration_addresses" ADD CONSTRAINT "migration_addresses_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "bulk_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Two migrations that touch one address would undo each other.
create function keep_migration_addresses() returns trigger language plpgsql as $$
begin
  if new.state = 'finished' then
    delete from migration_addresses where job_id = new.id;
  else
    insert into migration_addresses (reseller_id, ip_address, job_id)
    select new.reseller_id, a.ip_address, new.id
      from unnest(array[new.parameters ->> 'from', new.parameters ->> 'to']) a (ip_address) order by 1, 2;
  end if;
  return null;
end $$;

create trigger bulk_jobs_take_migration_addresses after insert on bulk_jobs
  for each row when (new.kind = 'migrate') execute function keep_migration_addresses();
create trigger bulk_jobs_free_migration_addresses after update of state on bulk_jobs
  for each row when (new.kind = 'migrate' and new.state = 'finished') execute function keep_migration_addresses();
