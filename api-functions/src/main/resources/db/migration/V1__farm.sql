-- The farm's tables. Columns bear the wire's names; every key begins with the store, and a second wall (row-level
-- security, forced) lets a transaction see only the store it named in gantry.store. The application's role owns nothing.

do $$ begin create role gantry_app login; exception when duplicate_object or unique_violation then null; end $$;
-- Owns the few functions that look across stores; it can do nothing else, and nobody logs in as it.
do $$ begin create role gantry_lookup nologin; exception when duplicate_object or unique_violation then null; end $$;

create schema farm;
create sequence farm."queueOrder";
create sequence farm."taskId" as integer cycle;

create table farm.store (
  "storeId" text primary key,
  name text not null,
  "createdAt" timestamptz(3) not null default now()
);

create table farm."apiKey" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  name text not null,
  active boolean not null,
  "fullAccess" boolean not null,
  permissions json not null,
  managed boolean not null,
  "managedBy" text,
  "externalRef" text,
  "integrationId" text,
  "ipAllowlist" json,
  "createdBy" text,
  "lastUsedAt" timestamptz(3),
  "expiresAt" timestamptz(3),
  hash text not null,
  salt text not null,
  primary key ("storeId", id)
);
create unique index on farm."apiKey" (id);

create table farm."gcodeMacro" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  name text not null,
  type text not null,
  gcode text not null,
  description text,
  compatibilities json not null,
  primary key ("storeId", id)
);

create table farm.part (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  name text not null,
  type text not null,
  description text not null,
  "fileUris" json not null,
  "fileHashes" json not null,
  "thumbnailUri" text,
  parameters json not null,
  "printTags" json not null,
  "overriddenProcessProfileId" text,
  "folderId" text,
  materials json,
  "slicerOverride" text,
  metadata json,
  "slicingEstimate" json,
  "use3MFProcessProfile" boolean not null,
  arrangeable boolean not null,
  "userTags" json not null,
  "gcodePlateUris" json,
  "meshUri" text,
  "meshSourceHash" text,
  "meshError" text,
  "uploadedAt" timestamptz(3),
  "customMetadata" json not null,
  source text,
  "processingStatus" text,
  processing json,
  primary key ("storeId", id)
);
create index on farm.part ("storeId", "createdAt", id);
create index on farm.part ("storeId", "updatedAt", id);
create index on farm.part ("storeId", type, name, id);

create table farm.agent (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  name text not null,
  version text not null,
  platform text not null,
  "isOnline" boolean not null,
  "lastSeenAt" timestamptz(3),
  -- beyond the record: the token, and the last event the agent was told is kept
  "tokenHash" text,
  "tokenSalt" text,
  "ackSequence" bigint not null default 0,
  primary key ("storeId", id)
);
create unique index on farm.agent (id);

create table farm."pairingCode" (
  "storeId" text not null references farm.store,
  code text not null,
  "expiresAt" timestamptz(3) not null,
  "createdBy" text,
  primary key ("storeId", code)
);
create unique index on farm."pairingCode" (code);

create table farm.printer (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  name text not null,
  "modelName" text,
  "nozzleDiameter" text not null,
  "bedSize" json,
  "commMethod" text,
  "deviceId" text,
  enabled boolean not null,
  "confirmedReady" boolean not null,
  "continuousPrint" boolean not null,
  "continuousRemainingJobs" integer,
  "integrationId" text,
  "integrationType" text,
  "isAvailable" boolean not null generated always as
    ("isOnline" and enabled and "printingJobId" is null and not "isBusy" and not "isInMaintenance") stored,
  "isOnline" boolean not null,
  "isInMaintenance" boolean not null,
  "lastMaintenanceOfflineAt" timestamptz(3),
  "lastMaintenanceOnlineAt" timestamptz(3),
  "lastPrintedAt" timestamptz(3),
  "lifetimeJobCount" integer not null,
  "lifetimePrintHours" double precision not null,
  "machineSystemProfileId" bigint,
  "machineUserProfileId" text,
  metadata json,
  "customMetadata" json not null,
  "printerAdapterBindingsPatch" json,
  "printerCapabilityPatch" json,
  "providerConfig" json,
  "processUserProfileId" text,
  "processSystemProfileId" bigint,
  "proxyClientId" text,
  tags json not null,
  "printingJobId" text,
  "vendorName" text,
  "vendorModelId" bigint,
  provider text,
  "throttleGroupId" text,
  -- beyond the record: the printer itself says that something is on its bed
  "isBusy" boolean not null default false,
  primary key ("storeId", id)
);
create unique index on farm.printer ("storeId", "deviceId");
create index on farm.printer ("storeId", "proxyClientId");

-- A printer belongs to one store of all: the only claim that crosses stores.
create table farm."deviceClaim" (
  "deviceId" text primary key,
  "storeId" text not null,
  "printerId" text not null
);

create table farm."printerState" (
  "storeId" text not null,
  "printerId" text not null,
  session text not null,
  state json not null,
  at timestamptz(3) not null,
  primary key ("storeId", "printerId"),
  foreign key ("storeId", "printerId") references farm.printer on delete cascade
);

create table farm."partBuild" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  "partId" text not null,
  "partName" text not null,
  "skuId" text,
  "skuBuildId" text,
  "linkedPartId" text,
  "orderId" text,
  "orderItemId" text,
  label text,
  quantity integer not null,
  priority integer not null,
  parameters json not null,
  "plateQuantities" json,
  materials json,
  "requiredPrinterTags" json not null,
  "partCopy" json not null,
  status text not null,
  "errorMessage" text,
  "startedAt" timestamptz(3),
  "completedAt" timestamptz(3),
  "cancelledAt" timestamptz(3),
  dismissed boolean not null,
  primary key ("storeId", id)
);
create index on farm."partBuild" ("storeId", "createdAt", id);

create table farm."printJob" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  "partBuildId" text not null,
  "quantityIndex" integer not null,
  "quantityTotal" integer not null,
  "thumbnailUri" text,
  "filesToPrint" json not null,
  "slicerInputHash" text,
  "isGcodeCached" boolean not null,
  "slicedGcodeUri" text,
  "partId" text not null,
  "partName" text not null,
  "skuId" text,
  "skuName" text,
  "parameterOverrides" json not null,
  "orderId" text,
  "orderItemId" text,
  "linkedPartId" text,
  label text,
  "skuInstance" integer,
  "queueOrder" bigint not null,
  priority integer not null,
  "requiredPrinterTags" json not null,
  "overriddenProcessProfileId" text,
  "taskId" integer not null,
  "profileUris" json not null,
  "assignedPrinterId" text,
  "assignmentStartedAt" timestamptz(3),
  "assignmentCompletedAt" timestamptz(3),
  "printingStartedAt" timestamptz(3),
  "printingCompletedAt" timestamptz(3),
  "startedAt" timestamptz(3) generated always as ("printingStartedAt") stored,
  "completedAt" timestamptz(3) generated always as ("printingCompletedAt") stored,
  "cancelledAt" timestamptz(3),
  status text not null,
  "errorMessage" text,
  hidden boolean not null,
  "logsUri" text,
  extensions json,
  "materialMapping" json,
  "materialAssignments" json,
  "estimatedSeconds" bigint,
  "estimatedGrams" double precision,
  "actualSeconds" bigint,
  "actualGrams" double precision,
  attempt integer not null,
  -- beyond the record: when the job was over, the order of the history
  "finishedAt" timestamptz(3) generated always as (coalesce("printingCompletedAt", "cancelledAt")) stored,
  primary key ("storeId", id),
  foreign key ("storeId", "partBuildId") references farm."partBuild"
);
-- Two jobs on one bed break a machine: the database itself forbids it.
create unique index "oneActiveJobAPrinter" on farm."printJob" ("storeId", "assignedPrinterId")
  where status in ('Assigned', 'Slicing', 'Sliced', 'Finalizing', 'Waiting-for-approval', 'Ready-for-printer',
                   'Sending-to-printer', 'Printing', 'Paused');
create index on farm."printJob" ("storeId", priority, "queueOrder") where status = 'Pending';
create index on farm."printJob" ("storeId", "partBuildId");
create index on farm."printJob" ("storeId", "createdAt", id);
create index on farm."printJob" ("storeId", "finishedAt" desc, id) where status in ('Completed', 'Failed', 'Cancelled');

-- What an agent is to do, until it says it has it.
create table farm."agentCommand" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null default now(),
  "agentId" text not null,
  "printerId" text not null,
  "jobId" text,
  attempt integer,
  action json not null,
  "expiresAt" timestamptz(3) not null,
  primary key ("storeId", id)
);
create index on farm."agentCommand" ("storeId", "agentId", "createdAt", id);

create table farm."notificationSetting" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  channel text not null,
  enabled boolean not null,
  data json not null,
  "onJobStarted" boolean not null,
  "onJobSucceeded" boolean not null,
  "onJobFailed" boolean not null,
  "onJobCancelled" boolean not null,
  "onPrinterOnline" boolean not null,
  "onPrinterOffline" boolean not null,
  "onPrinterHmsError" boolean not null,
  "onPrinterHmsWarning" boolean not null,
  "onPrinterContinuousPrintDisabled" boolean not null,
  "onOrderCreatedManual" boolean not null,
  "onOrderCreatedRetail" boolean not null,
  "onOrderCancelled" boolean not null,
  "onOrderClosed" boolean not null,
  "onOrdersAutoPrinted" boolean not null,
  "onMaintenanceModeOn" boolean not null,
  "onMaintenanceModeOff" boolean not null,
  "onMaterialUsageRecorded" boolean not null,
  "onPartProcessed" boolean not null,
  "onPartProcessingFailed" boolean not null,
  "failureCount24h" integer not null,
  "disabledReason" text,
  primary key ("storeId", id),
  unique ("storeId", channel)
);

-- One event for the store's webhook, and the tries to deliver it. The body is sent as it stands here: json keeps the text.
create table farm."webhookDelivery" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  event text not null,
  body json not null,
  status text not null,
  attempts json not null,
  "nextAttemptAt" timestamptz(3),
  primary key ("storeId", id)
);
create index on farm."webhookDelivery" ("nextAttemptAt") where status in ('pending', 'held');
create index on farm."webhookDelivery" ("storeId", "nextAttemptAt") where status in ('pending', 'held');
create index on farm."webhookDelivery" ("storeId", "createdAt", id);

-- Failures of a channel, counted over a sliding day.
create table farm."webhookFailure" (
  "storeId" text not null references farm.store,
  id text not null,
  at timestamptz(3) not null,
  primary key ("storeId", id)
);

-- Messages that left with the transaction that caused them, on their way to the queue.
create table farm.outbox (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null default now(),
  queue text not null,
  body json not null,
  primary key ("storeId", id)
);
create index on farm.outbox ("createdAt", id);

-- The one-machine queue; on AWS this is SQS. Not store data: the message names its store.
create table farm."queueMessage" (
  id text primary key,
  queue text not null,
  body json not null,
  receives integer not null default 0,
  "visibleAt" timestamptz(3) not null default now()
);
create index on farm."queueMessage" (queue, "visibleAt");

do $$
declare t text;
begin
  foreach t in array array['store', 'apiKey', 'gcodeMacro', 'part', 'agent', 'pairingCode', 'printer', 'printerState',
      'partBuild', 'printJob', 'agentCommand', 'notificationSetting', 'webhookDelivery', 'webhookFailure', 'outbox'] loop
    execute format('alter table farm.%I enable row level security', t);
    execute format('alter table farm.%I force row level security', t);
    execute format('create policy store on farm.%I to gantry_app using ("storeId" = current_setting(''gantry.store'', true))', t);
    execute format('create policy lookup on farm.%I for select to gantry_lookup using (true)', t);
    execute format('grant select, insert, update, delete on farm.%I to gantry_app', t);
  end loop;
end $$;
grant usage on schema farm to gantry_app, gantry_lookup;
grant usage on all sequences in schema farm to gantry_app;
grant select, insert, update, delete on farm."queueMessage" to gantry_app;
grant select on farm."apiKey", farm.agent, farm."pairingCode", farm.outbox, farm.store, farm."printJob",
  farm."webhookDelivery" to gantry_lookup;
grant select, insert, delete on farm."deviceClaim" to gantry_lookup;

-- Lookups that come before the store is known.
create function farm.key_by_id(wanted text)
returns table ("storeId" text, salt text, hash text, active boolean, "fullAccess" boolean, permissions text,
               "ipAllowlist" text, "expiresAt" timestamptz, "lastUsedAt" timestamptz)
language sql stable security definer set search_path = farm as
$$ select k."storeId", k.salt, k.hash, k.active, k."fullAccess", k.permissions::text, k."ipAllowlist"::text, k."expiresAt",
          k."lastUsedAt" from farm."apiKey" k where k.id = wanted $$;

create function farm.agent_by_id(wanted text)
returns table ("storeId" text, "tokenSalt" text, "tokenHash" text)
language sql stable security definer set search_path = farm as
$$ select a."storeId", a."tokenSalt", a."tokenHash" from farm.agent a where a.id = wanted $$;

create function farm.store_of_pairing_code(wanted text) returns text
language sql stable security definer set search_path = farm as
$$ select p."storeId" from farm."pairingCode" p where p.code = wanted and p."expiresAt" > now() $$;

-- The sweeps' lists: which stores have something to do.
create function farm.stores_with_outbox() returns setof text
language sql stable security definer set search_path = farm as
$$ select distinct o."storeId" from farm.outbox o $$;

create function farm.stores_with_active_jobs() returns setof text
language sql stable security definer set search_path = farm as
$$ select distinct j."storeId" from farm."printJob" j
   where j.status in ('Pending', 'Assigned', 'Slicing', 'Sliced', 'Finalizing', 'Waiting-for-approval',
                      'Ready-for-printer', 'Sending-to-printer', 'Printing', 'Paused') $$;

create function farm.stores_with_due_deliveries() returns setof text
language sql stable security definer set search_path = farm as
$$ select distinct d."storeId" from farm."webhookDelivery" d
   where d.status in ('pending', 'held') and d."nextAttemptAt" <= now() $$;

create function farm.stores_with_online_agents() returns setof text
language sql stable security definer set search_path = farm as
$$ select distinct a."storeId" from farm.agent a where a."isOnline" $$;

create function farm.is_empty_install() returns boolean
language sql stable security definer set search_path = farm as
$$ select not exists (select from farm.store) $$;

-- Whether the device was free in all stores; it is then this printer's.
create function farm.claim_device(device text, store text, printer text) returns boolean
language sql security definer set search_path = farm as
$$ with claimed as (insert into farm."deviceClaim" values (device, store, printer) on conflict do nothing returning 1)
   select exists (select from claimed) $$;

create function farm.release_device(device text, store text) returns void
language sql security definer set search_path = farm as
$$ delete from farm."deviceClaim" where "deviceId" = device and "storeId" = store $$;

do $$
declare f text;
begin
  foreach f in array array['key_by_id(text)', 'agent_by_id(text)', 'store_of_pairing_code(text)', 'stores_with_outbox()',
      'stores_with_active_jobs()', 'stores_with_due_deliveries()', 'stores_with_online_agents()', 'is_empty_install()',
      'claim_device(text, text, text)', 'release_device(text, text)'] loop
    execute 'alter function farm.' || f || ' owner to gantry_lookup';
    execute 'revoke all on function farm.' || f || ' from public';
    execute 'grant execute on function farm.' || f || ' to gantry_app';
  end loop;
end $$;
