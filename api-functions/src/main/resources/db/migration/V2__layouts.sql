-- Dashboards; a user has one default at most, and the database itself says so.
create table farm.layout (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  name text not null,
  "userId" text not null,
  mode text not null,
  "formatVersion" integer not null,
  "isDefault" boolean not null,
  definition json not null,
  primary key ("storeId", id)
);
create unique index "oneDefaultLayoutAUser" on farm.layout ("storeId", "userId") where "isDefault";

alter table farm.layout enable row level security;
alter table farm.layout force row level security;
create policy store on farm.layout to gantry_app using ("storeId" = current_setting('gantry.store', true));
create policy lookup on farm.layout for select to gantry_lookup using (true);
grant select, insert, update, delete on farm.layout to gantry_app;
