-- Prints that slicers asked for with an upload whose file is still being read; the print is queued when the part is ready.
create table farm."pendingPrint" (
  "storeId" text not null,
  id text not null,
  "createdAt" timestamptz(3) not null default now(),
  "partId" text not null,
  tags json not null,
  primary key ("storeId", id),
  foreign key ("storeId", "partId") references farm.part on delete cascade
);
create index on farm."pendingPrint" ("storeId", "partId");
select farm.store_table('pendingPrint');

-- Finds the part of a file that was uploaded before.
create index on farm.part ("storeId", ("fileHashes"->>0));
