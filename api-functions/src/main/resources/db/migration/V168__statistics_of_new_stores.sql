-- Of a store that the statistics do not know, plans expect one row of each table, and a big one's joins then read all of its
-- rows for every row. A tenth of a large table may be more than the new store ever has: statistics are made anew sooner.
do $$
declare t text;
begin
  for t in select relname from pg_class where relnamespace = 'farm'::regnamespace and relkind = 'r'
  loop
    execute format('alter table farm.%I set (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 1000)', t);
  end loop;
end $$;
