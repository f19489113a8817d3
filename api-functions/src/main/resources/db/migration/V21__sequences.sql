-- Serial numbers that builds draw.
create table farm.sequence (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  name text not null,
  prefix text not null,
  next bigint not null,
  step integer not null,
  padding integer not null,
  primary key ("storeId", id)
);
create index on farm.sequence ("storeId", name);

alter table farm.sequence enable row level security;
alter table farm.sequence force row level security;
create policy store on farm.sequence to gantry_app using ("storeId" = current_setting('gantry.store', true));
create policy lookup on farm.sequence for select to gantry_lookup using (true);
grant select, insert, update, delete on farm.sequence to gantry_app;
