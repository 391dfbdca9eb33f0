-- Returns texts in lower case, composed, with final sigmas as others (`foldCase` in lib/domain/search-text.ts), with
-- chr(1) before each word and chr(2) between the texts; empty labels are left out. ASCII characters that are neither
-- letters nor digits, and other punctuation, separate words. plpgsql, like license_search_tokens: the planner would
-- inline an SQL function into every statement that writes a license.
-- Raises nothing.
create or replace function license_search_words(hostname text, notes text, variadic labels text[] default '{}') returns text
language plpgsql immutable strict parallel safe
as $$
declare
  texts text := translate(hostname, e'\x01\x02', '  ') || e'\x02' || translate(notes, e'\x01\x02', '  ');
  label text;
begin
  foreach label in array labels loop
    if label <> '' then texts := texts || e'\x02' || translate(label, e'\x01\x02', '  '); end if;
  end loop;
  return regexp_replace(
    translate(lower(normalize(texts, nfc)), 'ς', 'σ'),
    '[^\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+', e'\x01\\&', 'g');
end
$$;
