-- The services outside; whoever leaves takes the keys it was given along.
create table farm.integration (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  type text not null,
  "externalId" text,
  name text not null,
  settings json not null,
  secret text not null,
  primary key ("storeId", id)
);

alter table farm.integration enable row level security;
alter table farm.integration force row level security;
create policy store on farm.integration to gantry_app using ("storeId" = current_setting('gantry.store', true));
create policy lookup on farm.integration for select to gantry_lookup using (true);
grant select, insert, update, delete on farm.integration to gantry_app;

-- No integration was there for anything to name.
update farm."apiKey" set "integrationId" = null where "integrationId" is not null;
update farm.printer set "integrationId" = null where "integrationId" is not null;
update farm.profile set "integrationId" = null where "integrationId" is not null;

alter table farm."apiKey" add foreign key ("storeId", "integrationId") references farm.integration on delete cascade;
alter table farm.printer add foreign key ("storeId", "integrationId") references farm.integration
  on delete set null ("integrationId");
alter table farm.profile add foreign key ("storeId", "integrationId") references farm.integration
  on delete set null ("integrationId");
create index on farm."apiKey" ("storeId", "integrationId") where "integrationId" is not null;
create index on farm.printer ("storeId", "integrationId") where "integrationId" is not null;
create index on farm.profile ("storeId", "integrationId") where "integrationId" is not null;
