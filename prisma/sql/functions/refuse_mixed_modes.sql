-- Trigger: keeps test and live apart (docs/decisions/0049). A sandbox belongs to a live reseller for good; it has no
-- users, prices, top-up requests or acting admins; its keys, and only they, are test keys; its operations, and only they,
-- run at the provider of test mode.
-- Raises LD011.
create or replace function refuse_mixed_modes() returns trigger language plpgsql as $$
declare
  is_mixed boolean;
begin
  if tg_table_name = 'resellers' then
    if tg_op = 'UPDATE' then
      raise exception 'a reseller stays in its mode' using errcode = 'LD011';
    elsif new.sandbox_of is not null and sandbox_of(new.sandbox_of) <> 0 then
      raise exception 'a sandbox has no sandbox' using errcode = 'LD011';
    end if;
    return new;
  end if;
  if tg_table_name = 'operations' then
    is_mixed := exists (select from resellers r where r.id = new.reseller_id and r.sandbox_of is not null)
             <> exists (select from providers p where p.name = new.plan ->> 'provider' and p.kind = 'test');
  elsif tg_table_name = 'api_keys' then
    is_mixed := (sandbox_of(new.reseller_id) <> 0) <> starts_with(new.hint, 'lk_test_');
  elsif tg_table_name = 'sessions' then
    is_mixed := sandbox_of(new.acting_as_reseller_id) <> 0;
  else
    is_mixed := sandbox_of(new.reseller_id) <> 0;
  end if;
  if is_mixed then raise exception '% would mix test and live', tg_table_name using errcode = 'LD011'; end if;
  return new;
end $$;
