-- Adds a queue job for a reseller unless one is waiting or running, which keeps its place and progress.
-- Raises nothing: see wake_worker.
create or replace function wake_reseller(p_task text, p_reseller_id int, p_run_at timestamptz) returns void language plpgsql as $$
declare
  v_key text := p_task || ':' || p_reseller_id;
begin
  if exists (select from graphile_worker.jobs j where j.key = v_key and j.attempts < j.max_attempts) then return; end if;
  perform wake_worker(p_task, json_build_object('resellerId', p_reseller_id), p_run_at, v_key);
exception when others then
  return;
end $$;
