-- What services outside send signed: a secret that was replaced is taken for a while yet, and each delivery is done once.
alter table farm.integration
  add column "previousSecret" text,
  add column "previousSecretExpiresAt" timestamptz(3);

create table farm."signedDelivery" (
  "storeId" text not null references farm.store,
  "integrationId" text not null,
  id text not null,
  "createdAt" timestamptz(3) not null default now(),
  answer text,
  primary key ("storeId", "integrationId", id),
  foreign key ("storeId", "integrationId") references farm.integration on delete cascade
);
create index on farm."signedDelivery" ("storeId", "integrationId", "createdAt");

alter table farm."signedDelivery" enable row level security;
alter table farm."signedDelivery" force row level security;
create policy store on farm."signedDelivery" to gantry_app using ("storeId" = current_setting('gantry.store', true));
grant select, insert, update, delete on farm."signedDelivery" to gantry_app;

grant select on farm.integration to gantry_lookup;
create function farm.integration_by_id(wanted text)
returns table ("storeId" text, secret text, "previousSecret" text)
language sql stable security definer set search_path = farm as
$$ select i."storeId", i.secret, case when i."previousSecretExpiresAt" > now() then i."previousSecret" end
   from farm.integration i where i.id = wanted $$;
alter function farm.integration_by_id(text) owner to gantry_lookup;
revoke all on function farm.integration_by_id(text) from public;
grant execute on function farm.integration_by_id(text) to gantry_app;
