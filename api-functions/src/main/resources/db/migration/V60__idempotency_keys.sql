-- Requests that carry an Idempotency-Key, and their answers, sealed. "id" is a hash of API key, method, path and key;
-- "request" one of the query and the body. Without a status the request still runs, until its lease ends; "worked" is set
-- in the transaction of its work, after which it is never done again.
create table farm."idempotencyKey" (
  "storeId" text not null references farm.store,
  id text not null,
  request text not null,
  token text not null,
  "leaseUntil" timestamptz not null,
  "expiresAt" timestamptz not null,
  worked boolean not null default false,
  status integer,
  answer text,
  primary key ("storeId", id)
);
create index on farm."idempotencyKey" ("storeId", "expiresAt");

alter table farm."idempotencyKey" enable row level security;
alter table farm."idempotencyKey" force row level security;
create policy store on farm."idempotencyKey" to gantry_app using ("storeId" = current_setting('gantry.store', true));
grant select, insert, update, delete on farm."idempotencyKey" to gantry_app;
