-- The way into a store of a key that was remembered: the same statement sees that it is what it was.
create function farm.enter(store text, key text, version text) returns void language plpgsql as $$
begin
  perform set_config('gantry.store', store, true);
  perform from farm."apiKey" k where k."storeId" = store and k.id = key and k."updatedAt" = version::timestamptz;
  if not found then
    raise exception 'the key % is not what it was', key using errcode = 'GK001';
  end if;
end $$;

drop function farm.key_by_id(text);
create function farm.key_by_id(wanted text)
returns table ("storeId" text, version text, salt text, hash text, active boolean, "fullAccess" boolean,
               permissions text, "ipAllowlist" text, "expiresAt" timestamptz, "lastUsedAt" timestamptz)
language sql stable security definer set search_path = farm as
$$ select k."storeId", k."updatedAt"::text, k.salt, k.hash, k.active, k."fullAccess", k.permissions::text,
          k."ipAllowlist"::text, k."expiresAt", k."lastUsedAt" from farm."apiKey" k where k.id = wanted $$;
alter function farm.key_by_id(text) owner to gantry_lookup;
revoke all on function farm.key_by_id(text) from public;
grant execute on function farm.key_by_id(text) to gantry_app;
