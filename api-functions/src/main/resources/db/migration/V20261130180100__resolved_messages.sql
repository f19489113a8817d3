-- A message about a fault names what has the fault, and how the service identifies the sent message, which is updated when the fault ends.
alter table farm."webhookDelivery"
  add column "faultySubject" text,
  add column "messageReference" text,
  add column "resolvedAt" timestamptz(3);
create index on farm."webhookDelivery" ("storeId", "faultySubject", event) where "faultySubject" is not null and "resolvedAt" is null;
