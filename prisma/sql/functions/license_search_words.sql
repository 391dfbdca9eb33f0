-- Returns host name and notes in lower case, with chr(1) before each word and chr(2) between the two. ASCII characters
-- that are neither letters nor digits, and other punctuation, separate words. plpgsql, like license_search_tokens: the
-- planner would inline an SQL function into every statement that writes a license.
-- Raises nothing.
create or replace function license_search_words(hostname text, notes text) returns text
language plpgsql immutable strict parallel safe
as $$
begin
  return regexp_replace(
    lower(translate(hostname, e'\x01\x02', '  ') || e'\x02' || translate(notes, e'\x01\x02', '  ')),
    '[^\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+', e'\x01\\&', 'g');
end
$$;
