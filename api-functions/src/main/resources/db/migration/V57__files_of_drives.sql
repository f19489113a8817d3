-- Which part holds the file of a drive.
create table farm."driveFile" (
  "storeId" text not null references farm.store,
  "integrationId" text not null,
  "externalId" text not null,
  "partId" text not null,
  primary key ("storeId", "integrationId", "externalId"),
  foreign key ("storeId", "integrationId") references farm.integration on delete cascade,
  foreign key ("storeId", "partId") references farm.part on delete cascade
);
create index on farm."driveFile" ("storeId", "partId");

alter table farm."driveFile" enable row level security;
alter table farm."driveFile" force row level security;
create policy store on farm."driveFile" to gantry_app using ("storeId" = current_setting('gantry.store', true));
grant select, insert, update, delete on farm."driveFile" to gantry_app;
