-- Returns the search tokens of a license: its key without LIC-, its address, its external id, and its search words from the
-- start of each word, 20 characters each; and #id, @product, %bundle, +tag, and &customer for each field of the customer.
-- Each token is prefixed with the license's shard of 8,192 ids, so a search reads the matches of one shard only and walks
-- the shards in id order.
-- Raises nothing.
create or replace function license_search_tokens(
  reseller_id int, id int, key text, ip_address text, search_words text, product_id int, bundle_instance_id int, external_id text,
  customer text[], tags text[]
) returns tsvector
language plpgsql immutable strict parallel safe
as $$
declare
  shard text := to_hex(reseller_id) || ':' || to_hex(id >> 13) || ':';
  tokens text[] := array[
    shard || left(lower(key), 4), shard || left(regexp_replace(lower(key), '^lic-', ''), 20), shard || ip_address,
    shard || '#' || id, shard || '@' || product_id];
  words text[] := string_to_array(search_words, e'\x01');
  token text := '';
begin
  if bundle_instance_id <> 0 then tokens := tokens || (shard || '%' || bundle_instance_id); end if;
  if external_id <> '' then tokens := tokens || (shard || left(lower(external_id), 20)); end if;
  for i in reverse cardinality(words)..2 loop
    token := left(split_part(words[i] || token, e'\x02', 1), 20);
    tokens := tokens || (shard || token);
  end loop;
  foreach token in array customer loop
    if token <> '' then tokens := tokens || (shard || '&' || lower(token)); end if;
  end loop;
  foreach token in array tags loop
    tokens := tokens || (shard || '+' || token);
  end loop;
  return array_to_tsvector(tokens);
end
$$;
