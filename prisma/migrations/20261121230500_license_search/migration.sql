-- The index of three characters in a row takes whatever is no letter or digit for the end of a word: of 10.1.2 it knew 10,
-- 1 and 2, and of web-12 nothing that "12 web" has not. So it is made of a text in which the usual ones are letters. Other
-- texts may look the same: what is searched for is compared with the text itself as well (lib/db/license-filter.ts).
create function license_search_letters(search_text text) returns text
language sql immutable parallel safe
return translate(search_text, ' .-_@/:,', 'zqxjvkwy');

-- Where in the index a license is found beside its text: the shards of its reseller that its id is in, a small one of
-- 32,768 ids and, negative, a large one of 262,144. So a search can go through the licenses in the order of their ids, and
-- end when it has found enough (decision 12).
create function license_search_shards(reseller_id int, id int) returns bigint[]
language sql immutable parallel safe
return array[reseller_id::bigint << 32 | (id >> 15), -(reseller_id::bigint << 32 | (id >> 18))];

drop index licenses_search;
-- A search reads the list of what was added last as a whole for each shard: it must be short.
create index licenses_search on licenses
  using gin (license_search_shards(reseller_id, id), license_search_letters(search_text) gin_trgm_ops)
  with (gin_pending_list_limit = 64);
