-- What holds for a store as a whole, kept with the store itself, which thereby is a record like others.
alter table farm.store
  add column id text not null generated always as ("storeId") stored,
  add column "updatedAt" timestamptz(3) not null default now(),
  add column timezone text not null default 'UTC',
  add column currency text not null default 'USD',
  add column "processLowPriorityJobs" boolean not null default true,
  add column "defaultMachineProfileId" text,
  add column "defaultProcessProfileId" text,
  add column "defaultFilamentProfileId" text,
  add column slicer text not null default 'slicer1',
  add foreign key ("storeId", "defaultMachineProfileId") references farm.profile,
  add foreign key ("storeId", "defaultProcessProfileId") references farm.profile,
  add foreign key ("storeId", "defaultFilamentProfileId") references farm.profile;
