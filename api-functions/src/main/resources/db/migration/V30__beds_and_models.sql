-- What the farm may believe of each bed, and whether the machine itself is in order.
alter table farm.printer
  add column "isFit" boolean not null default true,
  add column "bedClear" boolean not null default false,
  add column "bedUnverified" boolean not null default false,
  add column "bedPrintCounter" text,
  -- Printers to which nothing is sent for a while, since they refused the last job.
  add column "heldBackUntil" timestamptz(3),
  add column "heldBackCount" integer not null default 0,
  add column "heldBackStatus" text,
  add column "heldBackReason" text;

update farm.printer set "bedClear" = true where "confirmedReady";

alter table farm.printer drop column "isAvailable";
alter table farm.printer add column "isAvailable" boolean not null generated always as
  ("isOnline" and enabled and "printingJobId" is null and not "isBusy" and not "isInMaintenance" and "isFit") stored;

-- What a build's file says of the machines it was made for.
alter table farm."partBuild"
  add column "fileModel" text generated always as ("partCopy"#>>'{metadata,printerModel}') stored,
  add column "fileCompat" json generated always as
    (case when json_typeof("partCopy"#>'{metadata,profileCompat}') = 'object'
          then "partCopy"#>'{metadata,profileCompat}' end) stored;

alter table farm.store add column "allowOtherModels" boolean not null default false;

-- A start that was sent and certainly never began is tried again once.
alter table farm."printJob" add column "wasNotBegun" boolean not null default false;
