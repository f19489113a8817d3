-- When a person confirmed that the bed of a print is clear, from which working hours and clearing times are learned; and the remaining
-- time that its printer reported about half-way, with the one that follows from its progress, to learn how good these are.
alter table farm."printAttempt"
  add column "bedClearedAt" timestamptz(3),
  add column "reportedAt" timestamptz(3),
  add column "reportedSeconds" double precision,
  add column "extrapolatedSeconds" double precision;
create index on farm."printAttempt" ("storeId", "bedClearedAt") where "bedClearedAt" is not null;

alter table farm."jobPromise"
  add column "reportedAt" timestamptz(3),
  add column "reportedSeconds" double precision,
  add column "extrapolatedSeconds" double precision;

create or replace function farm.note_first_promise() returns trigger language plpgsql as $$
begin
  select p."firstPromisedAt", p."firstPromisedBy", p."reportedAt", p."reportedSeconds", p."extrapolatedSeconds"
    into new."promisedAt", new."promisedBy", new."reportedAt", new."reportedSeconds", new."extrapolatedSeconds"
  from farm."jobPromise" p where p."storeId" = new."storeId" and p."printJobId" = new."printJobId";
  return new;
end $$;
