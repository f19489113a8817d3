-- When the sender changed the order: a delivery that comes late is known by it.
alter table farm."order" add column "externalUpdatedAt" timestamptz(3);
