-- Which attempts of jobs a slice was asked for, and when: one that is not answered in time is asked for again.
create table farm."sliceAsked" (
  "storeId" text not null references farm.store,
  "jobId" text not null,
  attempt integer not null,
  at timestamptz(3) not null,
  primary key ("storeId", "jobId")
);
alter table farm."sliceAsked" enable row level security;
alter table farm."sliceAsked" force row level security;
create policy store on farm."sliceAsked" to gantry_app using ("storeId" = current_setting('gantry.store', true));
create policy lookup on farm."sliceAsked" for select to gantry_lookup using (true);
grant select, insert, update, delete on farm."sliceAsked" to gantry_app;
