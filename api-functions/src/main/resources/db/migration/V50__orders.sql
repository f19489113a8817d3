-- What shops sold: orders with their items and customers, and the texts of items that nobody prints.
create table farm.customer (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  name text not null,
  email text,
  phone text,
  address text,
  "countryCode" text,
  "externalId" text,
  "integrationId" text,
  note text,
  "customMetadata" json not null,
  primary key ("storeId", id),
  foreign key ("storeId", "integrationId") references farm.integration on delete set null ("integrationId")
);
create index on farm.customer ("storeId", "createdAt", id);
-- Each index holds the order of its readers as well, so that the planner needs no statistics to choose it.
create index on farm.customer ("storeId", email, id) where email is not null;
create index on farm.customer ("storeId", "integrationId", "externalId", id) where "integrationId" is not null;

create table farm."order" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  "orderNumber" text not null,
  source text,
  status text not null,
  "closedAt" timestamptz(3),
  "cancelledAt" timestamptz(3),
  "customerId" text,
  "integrationId" text,
  price bigint,
  currency text,
  "externalId" text,
  "externalUrl" text,
  note text,
  deadline timestamptz(3),
  "processedAt" timestamptz(3),
  "customMetadata" json not null,
  -- beyond the record: the SHA-256 of the last delivery, by which a repeated one is known
  "deliveryHash" text,
  primary key ("storeId", id),
  -- An integration's order is one, however often it is delivered.
  unique ("storeId", "integrationId", "externalId"),
  foreign key ("storeId", "customerId") references farm.customer,
  foreign key ("storeId", "integrationId") references farm.integration on delete set null ("integrationId")
);
create index on farm."order" ("storeId", "createdAt", id);
create index on farm."order" ("storeId", "updatedAt", id);
create index on farm."order" ("storeId", "customerId") where "customerId" is not null;
create index on farm."order" ("storeId", "externalId", id) where "externalId" is not null;
create index on farm."order" ("storeId", id) where status = 'open';

create table farm."orderItem" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  "orderId" text not null,
  "skuId" text,
  quantity integer not null,
  "optionValueIds" json not null,
  inputs json not null,
  "externalSku" text,
  "externalId" text,
  title text,
  price bigint,
  "processedStatus" text not null,
  ignored boolean not null,
  "skuConfig" json,
  "resolutionNote" json,
  pieces json,
  primary key ("storeId", id),
  foreign key ("storeId", "orderId") references farm."order" on delete cascade,
  foreign key ("storeId", "skuId") references farm.sku
);
create index on farm."orderItem" ("storeId", "skuId") where "skuId" is not null;
create index on farm."orderItem" ("storeId", "createdAt", id);
-- Created last: of two indexes that look alike while a table is empty, the planner takes the newer one.
create index on farm."orderItem" ("storeId", "orderId", "createdAt", id);

create table farm."ignoredSku" (
  "storeId" text not null references farm.store,
  sku text not null,
  primary key ("storeId", sku)
);

do $$
declare t text;
begin
  foreach t in array array['customer', 'order', 'orderItem', 'ignoredSku'] loop
    execute format('alter table farm.%I enable row level security', t);
    execute format('alter table farm.%I force row level security', t);
    execute format('create policy store on farm.%I to gantry_app using ("storeId" = current_setting(''gantry.store'', true))', t);
    execute format('create policy lookup on farm.%I for select to gantry_lookup using (true)', t);
    execute format('grant select, insert, update, delete on farm.%I to gantry_app', t);
  end loop;
end $$;

create trigger touched before update of "integrationId" on farm."order"
  for each row when (new."updatedAt" = old."updatedAt") execute function farm.touched();
create trigger touched before update of "integrationId" on farm.customer
  for each row when (new."updatedAt" = old."updatedAt") execute function farm.touched();

-- A job that takes the place of one that failed names it; no other does.
alter table farm."printJob"
  add column "replacesJobId" text,
  add column retries integer not null default 0;
create unique index on farm."printJob" ("storeId", "replacesJobId") where "replacesJobId" is not null;
create index on farm."printJob" ("storeId", "orderId") where "orderId" is not null;
create index on farm."printJob" ("storeId", "orderItemId") where "orderItemId" is not null;
-- The item asks for something else since.
alter table farm."skuBuild" add column "isOutdated" boolean not null default false;
create index on farm."skuBuild" ("storeId", "orderItemId") where "orderItemId" is not null;

alter table farm.store
  add column "autoCloseOrders" boolean not null default false,
  add column "maxRetries" integer not null default 0;

-- Those of an order's jobs that belong to its items; of failed ones those that no other took the place of.
create function farm.progress(store text, wanted bigint, items text[]) returns json
language sql stable as
$$ select json_build_object(
     'wanted', wanted,
     'queued', count(*) filter (where j.status in ('Pending', 'Assigned', 'Slicing', 'Sliced', 'Finalizing',
                                                   'Waiting-for-approval', 'Ready-for-printer')),
     'printing', count(*) filter (where j.status in ('Sending-to-printer', 'Printing', 'Paused')),
     'done', count(*) filter (where j.status = 'Completed'),
     'failed', count(*) filter (where j.status = 'Failed' and not exists (
       select from farm."printJob" r where r."storeId" = store and r."replacesJobId" = j.id)))
   from farm."printJob" j where j."storeId" = store and j."orderItemId" = any(items) $$;

create function public.progress(i farm."orderItem") returns json
language sql stable as
$$ select farm.progress(i."storeId",
     i.quantity * coalesce((select sum((p->>'copies')::bigint) from json_array_elements(i.pieces) p), 0)::bigint,
     array[i.id]) $$;

create function public.progress(o farm."order") returns json
language sql stable as
$$ select farm.progress(o."storeId",
     coalesce(sum(case when i.ignored then 0 else i.quantity * (
       select sum((p->>'copies')::bigint) from json_array_elements(i.pieces) p) end), 0)::bigint,
     coalesce(array_agg(i.id) filter (where i.id is not null), '{}'))
   from farm."orderItem" i where i."storeId" = o."storeId" and i."orderId" = o.id $$;
