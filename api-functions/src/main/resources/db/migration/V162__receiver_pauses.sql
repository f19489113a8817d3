-- A receiver that asks for time or is out of reach is left alone until then, by every process.
alter table farm."notificationSetting" add column "pausedUntil" timestamptz(3);
-- Until when an attempt is under way, of which a store has only so many at once in all processes.
alter table farm."webhookDelivery" add column "leasedUntil" timestamptz(3);
create index on farm."webhookDelivery" ("storeId", "leasedUntil") where "leasedUntil" is not null;
