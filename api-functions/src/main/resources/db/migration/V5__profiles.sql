-- A slicer's settings.
create table farm.profile (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  name text not null,
  type text not null,
  source text not null,
  data json not null,
  metadata json not null,
  "externalId" text,
  inherits text not null,
  "compatibilityList" text not null,
  "integrationId" text,
  "integrationType" text,
  "customMetadata" json not null,
  primary key ("storeId", id)
);

alter table farm.profile enable row level security;
alter table farm.profile force row level security;
create policy store on farm.profile to gantry_app using ("storeId" = current_setting('gantry.store', true));
create policy lookup on farm.profile for select to gantry_lookup using (true);
grant select, insert, update, delete on farm.profile to gantry_app;
