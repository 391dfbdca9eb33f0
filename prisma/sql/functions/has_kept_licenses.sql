-- Whether a product has licenses that are not terminated, pending ones included. Waits for purchases whose holds are being
-- placed; later ones wait for the caller, and `create_pending_licenses` reads what it has changed.
-- Raises nothing.
create or replace function has_kept_licenses(p_product_id int) returns boolean language plpgsql as $$
begin
  -- Conflicts with the lock that the foreign key of a new license takes.
  perform from products p where p.id = p_product_id for update;
  return exists (select from licenses l where l.product_id = p_product_id and l.terminated_at is null);
end $$;
