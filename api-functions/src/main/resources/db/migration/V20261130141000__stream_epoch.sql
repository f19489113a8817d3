-- Positions of streams are numbers of transactions, which every cluster counts by itself. An epoch begins when the database was restored or
-- moved to another cluster; positions of an earlier one have expired. Its name is empty in the cluster that created this table.
create table farm."streamEpoch" (
  id int primary key check (id = 1),
  epoch text not null,
  cluster text
);
grant select, update on farm."streamEpoch" to gantry_lookup;

-- The id of this cluster; null where the service that runs it does not tell.
create function farm.cluster_id() returns text
language plpgsql stable security definer set search_path = farm as $$
begin
  return (select system_identifier from pg_catalog.pg_control_system());
exception when insufficient_privilege or feature_not_supported or undefined_function then
  return null;
end $$;
revoke all on function farm.cluster_id() from public;
grant execute on function farm.cluster_id() to gantry_lookup;
insert into farm."streamEpoch" values (1, '', farm.cluster_id());

create function farm.stream_epoch() returns table (epoch text, "isCurrent" boolean)
language sql stable security definer set search_path = farm as
$$ select epoch, cluster is not distinct from farm.cluster_id() from farm."streamEpoch" $$;
alter function farm.stream_epoch() owner to gantry_lookup;
revoke all on function farm.stream_epoch() from public;
grant execute on function farm.stream_epoch() to gantry_app;

grant update on farm."printerState", farm."notificationSetting" to gantry_lookup;
grant select, update on farm."eventPublisher" to gantry_lookup;
create policy epoch on farm."printerState" to gantry_lookup using (true);
create policy epoch on farm."notificationSetting" to gantry_lookup using (true);

-- Begins an epoch: in another cluster, or in any if it is forced, after a restore. What was noted by transactions of an earlier one cannot be ordered with what follows: subscribers load everything again.
create function farm.begin_stream_epoch(forced boolean) returns void
language plpgsql security definer set search_path = farm as $$
begin
  update farm."streamEpoch" set epoch = replace(gen_random_uuid()::text, '-', ''), cluster = farm.cluster_id()
  where forced or cluster is distinct from farm.cluster_id();
  if not found then
    return; -- another process began it
  end if;
  delete from farm."jobMove";
  delete from farm."recordChange";
  update farm."printerState" set changed = pg_current_xact_id();
  update farm."notificationSetting" set changed = pg_current_xact_id();
  update farm."eventPublisher" set position = 0, "publishedAt" = '-infinity';
end $$;
alter function farm.begin_stream_epoch(boolean) owner to gantry_lookup;
revoke all on function farm.begin_stream_epoch(boolean) from public;
grant execute on function farm.begin_stream_epoch(boolean) to gantry_app;
