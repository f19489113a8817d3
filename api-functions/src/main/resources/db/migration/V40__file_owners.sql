-- What a part's files are still needed for is asked whenever a job of it ends.
create index on farm."printJob" ("storeId", "partId");
create index on farm."partBuild" ("storeId", "partId");

-- A sweep's list: every store may have files that nothing needs.
create function farm.every_store() returns setof text
language sql stable security definer set search_path = farm as
$$ select s.id from farm.store s $$;
alter function farm.every_store() owner to gantry_lookup;
revoke all on function farm.every_store() from public;
grant execute on function farm.every_store() to gantry_app;
