-- The stores whose promises are to be looked at: those that have work, and those of whose orders something is promised yet.
create function farm.stores_with_promises() returns setof text
language sql stable security definer set search_path = farm as
$$ select farm.stores_with_active_jobs() union select p."storeId" from farm."orderPromise" p $$;
alter function farm.stores_with_promises() owner to gantry_lookup;
revoke all on function farm.stores_with_promises() from public;
grant execute on function farm.stores_with_promises() to gantry_app;
grant select on farm."orderPromise" to gantry_lookup;
create policy lookup on farm."orderPromise" for select to gantry_lookup using (true);
