-- Times by which the API knows how far a read replica is behind: a replica that has a mark has all that was committed before it.
create table farm."replicaMark" (at timestamptz not null, previous timestamptz not null);
insert into farm."replicaMark" values ('-infinity', '-infinity');
grant select, update on farm."replicaMark" to gantry_app;

-- Returns the oldest mark with which a replica is at most max_lag behind; null if the primary must answer, because the key changed something
-- within the last minute, or because the last mark but one, which a replica has had time to get, is older. While there are requests, four
-- marks are made within max_lag, but at most one a second if that is long.
create function farm.required_replica_mark(store text, key text, max_lag interval) returns timestamptz language plpgsql as $$
declare
  required timestamptz := clock_timestamp() - max_lag;
  marked timestamptz;
  earlier timestamptz;
begin
  select at, previous into marked, earlier from farm."replicaMark";
  if exists (select from farm."auditLog" a
             where a."storeId" = store and a."createdAt" > now() - interval '1 minute' and a."keyId" = key) then
    return null;
  end if;
  if marked < clock_timestamp() - least(max_lag / 4, interval '1 second') then
    update farm."replicaMark" set at = clock_timestamp(), previous = at
    where ctid = (select ctid from farm."replicaMark" where at = marked for update skip locked);
    earlier := marked;
  end if;
  return case when earlier > required then required end;
end $$;

-- Enters a store on a replica; fails if the replica lacks the required mark.
create function farm.enter_replica(store text, required timestamptz) returns void language plpgsql as $$
begin
  if not exists (select from farm."replicaMark" where at >= required) then
    raise exception 'the replica is too far behind' using errcode = 'GK003';
  end if;
  perform set_config('gantry.store', store, true);
end $$;
