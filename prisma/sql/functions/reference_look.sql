-- What a payment's reference looks like, so that two that the eye takes for one are one: in small letters, with one kind of
-- sign between its parts, and without the differences of 0 and o, of 1, i and l, of m and rn (docs/decisions/0085).
-- Raises nothing.
create or replace function reference_look(reference text) returns text language sql immutable strict parallel safe
return replace(translate(btrim(regexp_replace(lower(reference), '[^a-z0-9]+', '-', 'g'), '-'), 'oil', '011'), 'm', 'rn');
