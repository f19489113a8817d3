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

select farm.store_table('shelf');
