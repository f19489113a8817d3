-- A key may have a rate limit of its own, which the check of the key reads with it.
alter table farm."apiKey" add column "requestsPerMinute" integer check ("requestsPerMinute" between 1 and 60000);

drop function farm.key_by_id(text);
create function farm.key_by_id(wanted text)
returns table ("storeId" text, version text, salt text, hash text, active boolean, "fullAccess" boolean,
               permissions text, "ipAllowlist" text, "requestsPerMinute" integer, "expiresAt" timestamptz,
               "lastUsedAt" timestamptz)
language sql stable security definer set search_path = farm as
$$ select k."storeId", k."updatedAt"::text, k.salt, k.hash, k.active, k."fullAccess", k.permissions::text,
          k."ipAllowlist"::text, k."requestsPerMinute", k."expiresAt", k."lastUsedAt"
   from farm."apiKey" k where k.id = wanted $$;
alter function farm.key_by_id(text) owner to gantry_lookup;
revoke all on function farm.key_by_id(text) from public;
grant execute on function farm.key_by_id(text) to gantry_app;
