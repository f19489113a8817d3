-- Where spools lie: the table of a plain resource, which only the tests know.
create table farm.shelf (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  name text not null,
  description text,
  places integer not null,
  primary key ("storeId", id)
);

alter table farm.shelf enable row level security;
alter table farm.shelf force row level security;
alter table farm.shelf set (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 1000);
create policy store on farm.shelf to gantry_app using ("storeId" = current_setting('gantry.store', true));
create policy lookup on farm.shelf for select to gantry_lookup using (true);
grant select, insert, update, delete on farm.shelf to gantry_app;
select farm.audit('shelf');
