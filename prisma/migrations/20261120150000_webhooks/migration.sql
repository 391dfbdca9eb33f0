-- CreateEnum
CREATE TYPE "webhook_delivery_state" AS ENUM ('pending', 'succeeded', 'failed', 'discarded');

-- AlterTable
ALTER TABLE "events" ADD COLUMN     "test_endpoint_id" INTEGER;

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "id" SERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "kinds" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "secret" BYTEA NOT NULL,
    "seal_id" UUID NOT NULL,
    "previous_secret" BYTEA,
    "previous_secret_until" TIMESTAMPTZ(3),
    "concurrency" INTEGER NOT NULL DEFAULT 4,
    "ordered" BOOLEAN NOT NULL DEFAULT false,
    "paused_at" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "first_failed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" BIGSERIAL NOT NULL,
    "event_id" UUID NOT NULL,
    "endpoint_id" INTEGER NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "state" "webhook_delivery_state" NOT NULL DEFAULT 'pending',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "failure_count" INTEGER NOT NULL DEFAULT 0,
    "resent" BOOLEAN NOT NULL DEFAULT false,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "id" BIGSERIAL NOT NULL,
    "delivery_id" BIGINT NOT NULL,
    "endpoint_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "manual" BOOLEAN NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "succeeded" BOOLEAN,
    "duration_ms" INTEGER,
    "status" INTEGER,
    "request_headers" JSONB,
    "response_start" TEXT,
    "error" TEXT,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "webhook_endpoints_reseller_id_id_idx" ON "webhook_endpoints"("reseller_id", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_reseller_id_id_idx" ON "webhook_deliveries"("reseller_id", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_id_idx" ON "webhook_deliveries"("endpoint_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_event_id_endpoint_id_key" ON "webhook_deliveries"("event_id", "endpoint_id");

-- CreateIndex
CREATE INDEX "webhook_attempts_endpoint_id_started_at_idx" ON "webhook_attempts"("endpoint_id", "started_at");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_attempts_delivery_id_number_key" ON "webhook_attempts"("delivery_id", "number");

-- CreateIndex
CREATE INDEX "events_occurred_at_idx" ON "events"("occurred_at");

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "events"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_deliveries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What a Prisma schema cannot say.

alter table webhook_endpoints
  add constraint webhook_endpoints_concurrency check (concurrency between 1 and 10),
  add constraint webhook_endpoints_disabled_for_a_reason check ((disabled_at is null) = (disabled_reason is null)),
  add constraint webhook_endpoints_previous_secret_ends check ((previous_secret is null) = (previous_secret_until is null));

-- The claim reads only these: what waits, by endpoint and time or in order, and what is under way.
create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, next_attempt_at, id) where state = 'pending';
create index webhook_deliveries_pending_in_order on webhook_deliveries (endpoint_id, id) where state = 'pending';
create index webhook_deliveries_under_way on webhook_deliveries (endpoint_id, lease_until) where lease_until is not null;

-- Wakes a worker that delivers. The job has no key: a key is a row that transactions would wait for, and these have
-- wallets locked. One that waits already is enough; what is missed by a hair is found by the workers' own clock.
create function wake_webhook_delivery() returns void language plpgsql as $$
begin
  if not exists (select from graphile_worker.jobs j
                  where j.task_identifier = 'deliver_webhooks' and j.locked_at is null and j.attempts < j.max_attempts) then
    perform graphile_worker.add_job('deliver_webhooks', max_attempts => 1);
  end if;
exception when others then
  return;
end $$;

-- Every event, whoever writes it, is queued for every endpoint that wants it: in the same transaction or not at all.
-- What an endpoint misses while it is paused or disabled is not queued for it. The lock keeps an endpoint from being
-- deleted between its being found and its being referred to.
create function queue_webhook_deliveries() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (event_id, endpoint_id, reseller_id, next_attempt_at, created_at)
  select n.id, e.id, n.reseller_id, n.occurred_at, n.occurred_at
    from (select row_number() over () as place, * from new_events) n
    join webhook_endpoints e on e.reseller_id = n.reseller_id
   where e.paused_at is null and e.disabled_at is null
     and case when n.test_endpoint_id is null then cardinality(e.kinds) = 0 or n.kind = any (e.kinds) else e.id = n.test_endpoint_id end
   order by n.place, e.id
     for key share of e;
  if found then perform wake_webhook_delivery(); end if;
  return null;
end $$;

create trigger events_queue_webhook_deliveries
  after insert on events referencing new table as new_events for each statement execute function queue_webhook_deliveries();

-- Adds an endpoint unless the reseller has p_limit. No row: it has.
create function create_webhook_endpoint(p_endpoint jsonb, p_secret bytea, p_limit int)
returns setof webhook_endpoints language plpgsql as $$
declare
  endpoint webhook_endpoints := jsonb_populate_record(null::webhook_endpoints, p_endpoint);
begin
  -- One after the other for one reseller, each counting what the one before has added.
  perform pg_advisory_xact_lock(hashtext('create_webhook_endpoint'), endpoint.reseller_id);
  return query
    insert into webhook_endpoints (reseller_id, url, description, kinds, secret, seal_id, concurrency, ordered, created_at, updated_at)
    select endpoint.reseller_id, endpoint.url, endpoint.description, endpoint.kinds, p_secret, endpoint.seal_id,
           endpoint.concurrency, endpoint.ordered, endpoint.created_at, endpoint.created_at
     where (select count(*) from webhook_endpoints e where e.reseller_id = endpoint.reseller_id) < p_limit
    returning *;
end $$;

-- Takes up to p_slots deliveries that are due, for the caller alone until p_lease_until, and begins an attempt at each.
-- Endpoints take turns: the one with the fewest under way goes first. An endpoint whose last attempt failed is asked
-- one at a time until it answers, and all such endpoints together get at most p_failing_slots.
create function claim_webhook_deliveries(p_now timestamptz, p_lease_until timestamptz, p_slots int, p_failing_slots int)
returns table (
  delivery_id bigint, attempt_number int, failure_count int, failing boolean, endpoint_id int, url text, seal_id uuid,
  secret bytea, previous_secret bytea, previous_secret_until timestamptz, event_id uuid, kind text, data jsonb, occurred_at timestamptz
) language plpgsql as $$
#variable_conflict use_column
begin
  -- One claim at a time, each seeing what the one before has taken: so no endpoint gets more than its share.
  perform pg_advisory_xact_lock(hashtext('claim_webhook_deliveries'));
  return query
  with recursive waiting (endpoint_id) as (
    (select d.endpoint_id from webhook_deliveries d where d.state = 'pending' order by d.endpoint_id limit 1)
    union all
    select (select d.endpoint_id from webhook_deliveries d
             where d.state = 'pending' and d.endpoint_id > w.endpoint_id order by d.endpoint_id limit 1)
      from waiting w where w.endpoint_id is not null
  ), open_endpoints as materialized (
    select e.id, e.ordered, e.first_failed_at is not null as failing, busy.count as busy,
           case when e.ordered or e.first_failed_at is not null then 1 else e.concurrency end - busy.count as room
      from waiting w
      join webhook_endpoints e on e.id = w.endpoint_id and e.paused_at is null and e.disabled_at is null
     cross join lateral (select count(*)::int as count from webhook_deliveries d
                          where d.endpoint_id = e.id and d.lease_until > p_now) busy
  ), due as (
    select d.id, d.next_attempt_at, o.failing,
           o.busy + row_number() over (partition by o.id order by d.next_attempt_at, d.id) as turn
      from open_endpoints o
     cross join lateral (
       (select d.id, d.next_attempt_at from webhook_deliveries d
         where not o.ordered and d.endpoint_id = o.id and d.state = 'pending' and d.next_attempt_at <= p_now
           and (d.lease_until is null or d.lease_until <= p_now)
         order by d.next_attempt_at, d.id limit greatest(o.room, 0))
       union all
       -- In order: the oldest, or none. It waits for its time like any other, and the rest wait behind it.
       (select head.id, head.next_attempt_at
          from (select d.* from webhook_deliveries d where d.endpoint_id = o.id and d.state = 'pending' order by d.id limit 1) head
         where o.ordered and o.room > 0 and head.next_attempt_at <= p_now
           and (head.lease_until is null or head.lease_until <= p_now))
     ) d
  ), picked as (
    select r.id from (select u.*, row_number() over (partition by u.failing order by u.turn, u.next_attempt_at) as place from due u) r
     where not r.failing or r.place <= p_failing_slots
     order by r.turn, r.next_attempt_at limit p_slots
  ), chosen as materialized (
    select d.id, d.resent from webhook_deliveries d
     where d.id in (select p.id from picked p) and d.state = 'pending' and (d.lease_until is null or d.lease_until <= p_now)
     order by d.id for update skip locked
  ), taken as (
    update webhook_deliveries d set attempt_count = d.attempt_count + 1, lease_until = p_lease_until, resent = false
      from chosen c where d.id = c.id returning d.*
  ), interrupted as (
    update webhook_attempts a set error = 'There is no result: the process that sent it has ended.'
      from taken t where a.delivery_id = t.id and a.number = t.attempt_count - 1 and a.succeeded is null
  ), begun as (
    insert into webhook_attempts (delivery_id, endpoint_id, number, manual, started_at)
    select t.id, t.endpoint_id, t.attempt_count, c.resent, p_now from taken t join chosen c on c.id = t.id
  )
  select t.id, t.attempt_count, t.failure_count, e.first_failed_at is not null, e.id, e.url, e.seal_id, e.secret,
         e.previous_secret, e.previous_secret_until, v.id, v.kind, v.data, v.occurred_at
    from taken t join webhook_endpoints e on e.id = t.endpoint_id join events v on v.id = t.event_id
   order by t.id;
end $$;

-- Writes the results of attempts, and what follows from each for its delivery; of those taken over by another process,
-- the attempt alone.
--   p_results   [{delivery_id, number, succeeded, duration_ms, status, request_headers, response_start, error,
--                 next_attempt_at (null: none is left), ended_at}]
-- Rows: endpoints that failed, with the first failure since their last success.
create function record_webhook_attempts(p_results jsonb) returns table (endpoint_id int, first_failed_at timestamptz) language sql as $$
  with results as materialized (
    select * from jsonb_to_recordset(p_results) as r (
      delivery_id bigint, number int, succeeded boolean, duration_ms int, status int, request_headers jsonb,
      response_start text, error text, next_attempt_at timestamptz, ended_at timestamptz)
  ), told as (
    update webhook_attempts a set
        succeeded = r.succeeded, duration_ms = r.duration_ms, status = r.status, request_headers = r.request_headers,
        response_start = r.response_start, error = r.error
      from results r where a.delivery_id = r.delivery_id and a.number = r.number and a.succeeded is null
  ), moved as (
    -- `resent` here: somebody asked for another attempt while this one was under way.
    update webhook_deliveries d set
        state = case when e.disabled_at is not null and not r.succeeded then 'discarded'
                     when d.resent then 'pending' when r.succeeded then 'succeeded'
                     when r.next_attempt_at is null then 'failed' else 'pending' end::webhook_delivery_state,
        failure_count = case when d.resent or r.succeeded then 0 else d.failure_count + 1 end,
        next_attempt_at = case when d.resent then d.next_attempt_at else coalesce(r.next_attempt_at, d.next_attempt_at) end,
        lease_until = null
      from results r, webhook_endpoints e
     where d.id = r.delivery_id and d.attempt_count = r.number and d.state = 'pending' and e.id = d.endpoint_id
    returning d.endpoint_id, r.succeeded, r.ended_at
  ), verdicts as (
    select m.endpoint_id, bool_or(m.succeeded) as succeeded, min(m.ended_at) as at from moved m group by m.endpoint_id
  ), changing as materialized (
    select e.id, v.succeeded, v.at from verdicts v join webhook_endpoints e on e.id = v.endpoint_id
     where v.succeeded = (e.first_failed_at is not null) order by e.id for no key update of e
  ), marked as (
    update webhook_endpoints e set first_failed_at = case when c.succeeded then null else c.at end
      from changing c where e.id = c.id
  )
  select e.id, e.first_failed_at from verdicts v join webhook_endpoints e on e.id = v.endpoint_id where not v.succeeded
$$;

-- Ends an endpoint that is gone or does not work, once; what waits for it is discarded. False: it was disabled before.
create function disable_webhook_endpoint(p_endpoint_id int, p_reason text, p_actor text, p_now timestamptz)
returns boolean language plpgsql as $$
declare
  endpoint webhook_endpoints;
begin
  update webhook_endpoints e set disabled_at = p_now, disabled_reason = p_reason, updated_at = p_now
   where e.id = p_endpoint_id and e.disabled_at is null returning * into endpoint;
  if not found then return false; end if;
  update webhook_deliveries d set state = 'discarded'
   where d.endpoint_id = endpoint.id and d.state = 'pending' and (d.lease_until is null or d.lease_until <= p_now);
  perform write_audit_entry(p_actor, 'webhook.disable', endpoint.reseller_id, 'webhook_endpoint:' || endpoint.id, p_reason,
                            jsonb_build_object('url', endpoint.url, 'first_failed_at', endpoint.first_failed_at), p_now);
  return true;
end $$;
