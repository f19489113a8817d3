-- Folders of parts and of SKUs.
create table farm.folder (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  type text not null,
  name text not null,
  "parentId" text,
  primary key ("storeId", id),
  foreign key ("storeId", "parentId") references farm.folder
);
create index on farm.folder ("storeId", "parentId");
create index on farm.part ("storeId", "folderId") where "folderId" is not null;

alter table farm.folder enable row level security;
alter table farm.folder force row level security;
create policy store on farm.folder to gantry_app using ("storeId" = current_setting('gantry.store', true));
create policy lookup on farm.folder for select to gantry_lookup using (true);
grant select, insert, update, delete on farm.folder to gantry_app;
