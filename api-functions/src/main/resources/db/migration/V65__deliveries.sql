-- Deliveries about one entity are sent one after the other, in the order of their events, as long as each succeeds.
alter table farm."webhookDelivery"
  add column "entityId" text,
  add column sequence bigint not null generated always as identity,
  add column attempted boolean not null default false;
update farm."webhookDelivery" set attempted = attempts::text <> '[]';
-- The entity, until the first attempt: a column of its own, so that the planner needs no statistics to choose its index.
alter table farm."webhookDelivery" add column "unattemptedOf" text
  generated always as (case when status = 'pending' and not attempted then "entityId" end) stored;
create index on farm."webhookDelivery" ("storeId", "unattemptedOf", sequence) where "unattemptedOf" is not null;
create index on farm."webhookDelivery" ("createdAt") where status not in ('pending', 'held');

create policy forget on farm."webhookDelivery" for delete to gantry_lookup using (true);
grant delete on farm."webhookDelivery" to gantry_lookup;
create function farm.forget_deliveries(before timestamptz) returns void
language sql security definer set search_path = farm as
$$ delete from farm."webhookDelivery" where "createdAt" < before and status not in ('pending', 'held') $$;
alter function farm.forget_deliveries(timestamptz) owner to gantry_lookup;
revoke all on function farm.forget_deliveries(timestamptz) from public;
grant execute on function farm.forget_deliveries(timestamptz) to gantry_app;

-- Subscribers of the stream learn that a channel is warned of, disabled or enabled.
alter table farm."notificationSetting"
  add column warning text,
  add column changed xid8 not null default pg_current_xact_id();
create function farm.note_channel() returns trigger language plpgsql as $$
begin
  new.changed = pg_current_xact_id();
  return new;
end $$;
create trigger noted_channel before update of enabled, warning on farm."notificationSetting"
for each row when (old.enabled is distinct from new.enabled or old.warning is distinct from new.warning)
execute function farm.note_channel();
