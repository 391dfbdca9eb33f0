-- CreateEnum
CREATE TYPE "bulk_job_state" AS ENUM ('queued', 'running', 'undoing', 'finished');

-- CreateEnum
CREATE TYPE "bulk_item_state" AS ENUM ('queued', 'running', 'succeeded', 'failed', 'pending', 'skipped', 'undone');

-- CreateEnum
CREATE TYPE "bulk_actor_kind" AS ENUM ('reseller_user', 'admin');

-- CreateTable
CREATE TABLE "bulk_jobs" (
    "id" SERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "parameters" JSONB NOT NULL,
    "state" "bulk_job_state" NOT NULL DEFAULT 'queued',
    "quoted_total" BIGINT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "actor_kind" "bulk_actor_kind" NOT NULL,
    "user_id" INTEGER NOT NULL,
    "idempotency_key" TEXT,
    "lease_token" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "canceled_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "bulk_jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bulk_job_items" (
    "id" SERIAL NOT NULL,
    "job_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "license_id" INTEGER,
    "bundle_instance_id" INTEGER,
    "input" JSONB NOT NULL,
    "state" "bulk_item_state" NOT NULL DEFAULT 'queued',
    "error_code" TEXT,
    "error_message" TEXT,
    "operation_id" UUID,
    "charged_amount" BIGINT NOT NULL DEFAULT 0,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "bulk_job_items_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "bulk_jobs_reseller_id_id_idx" ON "bulk_jobs"("reseller_id", "id");

-- CreateIndex
CREATE INDEX "bulk_jobs_finished_at_idx" ON "bulk_jobs"("finished_at");

-- CreateIndex
CREATE UNIQUE INDEX "bulk_jobs_reseller_id_idempotency_key_key" ON "bulk_jobs"("reseller_id", "idempotency_key");

-- CreateIndex
CREATE INDEX "bulk_job_items_job_id_state_position_idx" ON "bulk_job_items"("job_id", "state", "position");

-- CreateIndex
CREATE UNIQUE INDEX "bulk_job_items_job_id_position_key" ON "bulk_job_items"("job_id", "position");

-- AddForeignKey
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bulk_job_items" ADD CONSTRAINT "bulk_job_items_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "bulk_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rules and functions by hand.

-- An item's operations carry its name as their request: whoever takes an item up after a crash finds what it has begun,
-- and a second operation for it is impossible unless the first was refused.
create unique index operations_one_per_bulk_item on operations (request_id)
  where request_id like 'bulk:%' and state <> 'rejected';
-- Those that wait for the provider are found by their operation when it ends.
create index bulk_job_items_pending on bulk_job_items (operation_id) where state = 'pending';
-- What has no end yet is little among much: the sweep reads that alone.
create index bulk_jobs_open on bulk_jobs (lease_until) where state <> 'finished';

alter table bulk_jobs
  add check ((state = 'finished') = (finished_at is not null)),
  add check ((lease_token is null) = (lease_until is null));

create function wake_bulk_job(p_job_id int, p_run_at timestamptz) returns void language sql as $$
  select wake_worker('run_bulk_job', json_build_object('jobId', p_job_id), p_run_at, 'run_bulk_job:' || p_job_id)
$$;

create function bulk_item_state_of(p_operation operation_state, p_job bulk_job_state) returns bulk_item_state language sql immutable as $$
  select case p_operation
    when 'succeeded' then (case p_job when 'undoing' then 'undone' else 'succeeded' end)
    when 'rejected' then 'failed'
    else 'pending' end::bulk_item_state
$$;

-- Takes up the next item for the worker whose token the job carries, and prolongs its lease. No row: there is nothing to
-- do now, or the lease is somebody else's. First what a worker that died has left under way. A job that is all or nothing
-- goes on only when the provider's answer is clear, and turns back when an item has failed or somebody cancels it.
--   undoing   the item is to be taken back
create function begin_bulk_item(p_job_id int, p_token uuid, p_lease_until timestamptz, p_all_or_nothing boolean)
returns table (item bulk_job_items, undoing boolean) language plpgsql as $$
declare
  job bulk_jobs;
  next_id int;
begin
  update bulk_jobs j set lease_until = p_lease_until where j.id = p_job_id and j.lease_token = p_token returning * into job;
  if not found then return; end if;
  select i.id into next_id from bulk_job_items i where i.job_id = job.id and i.state = 'running' order by i.position limit 1;
  if next_id is null and p_all_or_nothing then
    if exists (select from bulk_job_items i where i.job_id = job.id and i.state = 'pending') then return; end if;
    if job.state = 'running'
       and (job.canceled_at is not null or exists (select from bulk_job_items i where i.job_id = job.id and i.state = 'failed')) then
      update bulk_jobs j set state = 'undoing' where j.id = job.id returning * into job;
      update bulk_job_items i set state = 'skipped', error_code = 'not_started', error_message = 'Not begun, as another one failed.'
       where i.job_id = job.id and i.state = 'queued';
    end if;
  end if;
  if next_id is null and job.state = 'undoing' then
    select i.id into next_id from bulk_job_items i where i.job_id = job.id and i.state = 'succeeded' order by i.position desc limit 1;
  elsif next_id is null then
    select i.id into next_id from bulk_job_items i where i.job_id = job.id and i.state = 'queued' order by i.position limit 1;
  end if;
  return query update bulk_job_items i set state = 'running' where i.id = next_id and i.state <> 'skipped'
    returning i, job.state = 'undoing';
end $$;

-- Writes how an item ended, for the worker whose token its job carries. With an operation, its state is the item's; it is
-- locked, so that one which is settled at this moment is seen as it ends.
--   p_state   without an operation: succeeded, failed or skipped
create function end_bulk_item(
  p_item_id int, p_token uuid, p_state bulk_item_state, p_code text, p_message text, p_operation_id uuid, p_now timestamptz
) returns void language plpgsql as $$
declare
  op operations;
  job bulk_jobs;
begin
  select * into op from operations o where o.id = p_operation_id for share;
  select j.* into job from bulk_jobs j join bulk_job_items i on i.job_id = j.id where i.id = p_item_id;
  if job.lease_token is distinct from p_token then return; end if;
  update bulk_job_items i set
      state = case when op.id is null then p_state else bulk_item_state_of(op.state, job.state) end,
      error_code = case when op.state = 'rejected' then 'provider_rejected' else p_code end,
      error_message = case when op.state = 'rejected' then coalesce(op.failure_message, p_message) else p_message end,
      operation_id = coalesce(op.id, i.operation_id),
      license_id = coalesce(i.license_id, op.license_id),
      charged_amount = i.charged_amount + case when op.state = 'succeeded' then op.price else 0 end,
      ended_at = p_now
   where i.id = p_item_id and i.state = 'running';
end $$;

-- An item whose outcome was not known ends with its operation, whoever settles it; a job that waits for it goes on.
create function settle_bulk_item() returns trigger language plpgsql as $$
declare
  settled record;
begin
  for settled in
    update bulk_job_items i set
        state = bulk_item_state_of(new.state, j.state),
        error_code = case when new.state = 'rejected' then 'provider_rejected' end,
        error_message = case when new.state = 'rejected' then new.failure_message end,
        charged_amount = i.charged_amount + case when new.state = 'succeeded' then new.price else 0 end,
        ended_at = new.settled_at
      from bulk_jobs j
     where i.operation_id = new.id and i.state = 'pending' and j.id = i.job_id
    returning j.id as job_id, j.state as job_state
  loop
    if settled.job_state <> 'finished' then perform wake_bulk_job(settled.job_id, new.settled_at); end if;
  end loop;
  return null;
end $$;

create trigger operations_settle_bulk_item after update of state on operations
  for each row when (old.state in ('held', 'sent', 'unknown') and new.state in ('succeeded', 'rejected'))
  execute function settle_bulk_item();
