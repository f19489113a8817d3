-- Deletes rows past their retention, at most so many at once: one statement for a month of a large farm would hold its locks for minutes, and be
-- ended by the statement timeout each time. Returns how many were deleted.
create function farm.delete_expired(expired text, until timestamptz, most integer) returns integer
language plpgsql security definer set search_path = farm as $$
declare deleted integer;
begin
  case expired
    when 'webhookDelivery' then
      delete from farm."webhookDelivery" where ctid = any(array(select ctid from farm."webhookDelivery"
        where "createdAt" < until and status not in ('pending', 'held') order by "createdAt" limit most));
    when 'signedDelivery' then
      delete from farm."signedDelivery" where ctid = any(array(select ctid from farm."signedDelivery"
        where "createdAt" < until order by "createdAt" limit most));
    when 'jobMove' then
      delete from farm."jobMove" where ctid = any(array(select ctid from farm."jobMove" where at < until order by at limit most));
    when 'recordChange' then
      delete from farm."recordChange" where ctid = any(array(select ctid from farm."recordChange" where at < until order by at limit most));
    when 'auditLog' then
      delete from farm."auditLog" where ctid = any(array(select ctid from farm."auditLog"
        where "createdAt" < until order by "createdAt" limit most));
  end case;
  get diagnostics deleted = row_count;
  return deleted;
end $$;
alter function farm.delete_expired(text, timestamptz, integer) owner to gantry_lookup;
revoke all on function farm.delete_expired(text, timestamptz, integer) from public;
grant execute on function farm.delete_expired(text, timestamptz, integer) to gantry_app;

-- Tables that grow and lose their oldest rows, or change at every step of a print: vacuumed after a fiftieth, not a fifth, so that the work
-- comes in small pieces and space is used again.
do $$
declare t text;
begin
  foreach t in array array['auditLog', 'webhookDelivery', 'signedDelivery', 'jobMove', 'recordChange', 'printJob', 'printAttempt', 'filamentUse',
                           'partBuild', 'jobPromise', 'order', 'orderItem'] loop
    execute format('alter table farm.%I set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05)', t);
  end loop;
end $$;
