-- The first promise of a job is kept, to tell later whether it came true.
alter table farm."jobPromise" add column "firstPromisedAt" timestamptz(3), add column "firstPromisedBy" timestamptz(3);
update farm."jobPromise" set "firstPromisedAt" = "promisedAt", "firstPromisedBy" = "promisedBy";
alter table farm."printAttempt" add column "promisedAt" timestamptz(3), add column "promisedBy" timestamptz(3);

create function farm.note_first_promise() returns trigger language plpgsql as $$
begin
  select p."firstPromisedAt", p."firstPromisedBy" into new."promisedAt", new."promisedBy"
  from farm."jobPromise" p where p."storeId" = new."storeId" and p."printJobId" = new."printJobId";
  return new;
end $$;
create trigger first_promise before insert on farm."printAttempt" for each row execute function farm.note_first_promise();
