-- Makes a table one of each store's own: row-level security, grants, statistics that follow new stores, and the audit log, which
-- leaves out the hidden columns. Call it once, in the migration that creates the table.
create function farm.store_table(name text, variadic hidden text[] default '{}') returns void language plpgsql as $$
begin
  execute format('alter table farm.%I enable row level security', name);
  execute format('alter table farm.%I force row level security', name);
  execute format('alter table farm.%I set (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 1000)', name);
  execute format('create policy store on farm.%I to gantry_app using ("storeId" = current_setting(''gantry.store'', true))', name);
  execute format('create policy lookup on farm.%I for select to gantry_lookup using (true)', name);
  execute format('grant select, insert, update, delete on farm.%I to gantry_app', name);
  perform farm.audit(name, variadic hidden);
end $$;
