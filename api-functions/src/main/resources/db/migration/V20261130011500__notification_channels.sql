-- Services that send messages about events to people's phones and chats.
create table farm."notificationChannel" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  name text not null,
  kind text not null,
  settings json not null,
  events json not null,
  "printerTags" json not null,
  enabled boolean not null,
  "lastSentAt" timestamptz(3),
  "lastError" text,
  "failureCount" integer not null,
  "pausedUntil" timestamptz(3),
  primary key ("storeId", id)
);
select farm.store_table('notificationChannel');

-- A delivery of a channel has no foreign key to it: the transaction of an event must neither wait for a change of a channel nor
-- fail because the channel was deleted. Deliveries of a channel that no longer exists are discarded when they are due.
alter table farm."webhookDelivery"
  add column "channelId" text,
  add column "printerId" text;
create index on farm."webhookDelivery" ("storeId", "channelId", "printerId", sequence) where "channelId" is not null and status = 'pending';
create index on farm."webhookDelivery" ("storeId", "channelId", "createdAt", id) where "channelId" is not null;
alter table farm."webhookFailure" add column "channelId" text;

create or replace function farm.stores_with_due_deliveries() returns setof text
language sql stable security definer set search_path = farm as
$$ select distinct d."storeId" from farm."webhookDelivery" d
   where d.status in ('pending', 'held') and d."nextAttemptAt" <= now() and d."channelId" is null $$;

create function farm.stores_with_due_messages() returns setof text
language sql stable security definer set search_path = farm as
$$ select distinct d."storeId" from farm."webhookDelivery" d
   where d.status = 'pending' and d."nextAttemptAt" <= now() and d."channelId" is not null $$;
alter function farm.stores_with_due_messages() owner to gantry_lookup;
revoke all on function farm.stores_with_due_messages() from public;
grant execute on function farm.stores_with_due_messages() to gantry_app;
