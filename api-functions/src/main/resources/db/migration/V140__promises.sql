-- When jobs and orders will be done, kept apart from their records: a new promise is no change of them.
create table farm."jobPromise" (
  "storeId" text not null references farm.store,
  "printJobId" text not null,
  "promisedAt" timestamptz(3),
  "promisedBy" timestamptz(3),
  waits json not null,
  "plannedAt" timestamptz(3) not null,
  primary key ("storeId", "printJobId"),
  foreign key ("storeId", "printJobId") references farm."printJob" on delete cascade
);
create table farm."orderPromise" (
  "storeId" text not null references farm.store,
  "orderId" text not null,
  "promisedAt" timestamptz(3),
  "promisedBy" timestamptz(3),
  late boolean not null default false,
  "lastJobId" text,
  "plannedAt" timestamptz(3) not null,
  primary key ("storeId", "orderId"),
  foreign key ("storeId", "orderId") references farm."order" on delete cascade
);

do $$
declare t text;
begin
  foreach t in array array['jobPromise', 'orderPromise'] loop
    execute format('alter table farm.%I enable row level security', t);
    execute format('alter table farm.%I force row level security', t);
    execute format('create policy store on farm.%I to gantry_app using ("storeId" = current_setting(''gantry.store'', true))', t);
    execute format('grant select, insert, update, delete on farm.%I to gantry_app', t);
  end loop;
end $$;

-- What is over is promised no more.
create function public."promisedAt"(j farm."printJob") returns timestamptz language sql stable as
$$ select p."promisedAt" from farm."jobPromise" p
   where p."storeId" = j."storeId" and p."printJobId" = j.id and j.status not in ('Completed', 'Failed', 'Cancelled') $$;
create function public."promisedBy"(j farm."printJob") returns timestamptz language sql stable as
$$ select p."promisedBy" from farm."jobPromise" p
   where p."storeId" = j."storeId" and p."printJobId" = j.id and j.status not in ('Completed', 'Failed', 'Cancelled') $$;
create function public."promisedAt"(o farm."order") returns timestamptz language sql stable as
$$ select p."promisedAt" from farm."orderPromise" p where p."storeId" = o."storeId" and p."orderId" = o.id and o.status = 'open' $$;
create function public."promisedBy"(o farm."order") returns timestamptz language sql stable as
$$ select p."promisedBy" from farm."orderPromise" p where p."storeId" = o."storeId" and p."orderId" = o.id and o.status = 'open' $$;
create function public.late(o farm."order") returns boolean language sql stable as
$$ select p.late from farm."orderPromise" p where p."storeId" = o."storeId" and p."orderId" = o.id and o.status = 'open' $$;

alter table farm.store
  add column "deadlineFirst" boolean not null default false,
  add column "workingHours" json;
alter table farm."notificationSetting"
  add column "onOrderLate" boolean not null default false,
  add column "onOrderOnTime" boolean not null default false;
-- What estimates were worth is learned from the prints of the last months.
create index on farm."printAttempt" ("storeId", "endedAt");
