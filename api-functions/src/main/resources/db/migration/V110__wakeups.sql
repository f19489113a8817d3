-- When functions are woken next for a store by a delayed message, so that there is one such message and not one a caller.
create table farm.wakeup (
  "storeId" text not null references farm.store,
  work text not null,
  "dueAt" timestamptz not null,
  primary key ("storeId", work)
);
alter table farm.wakeup enable row level security;
alter table farm.wakeup force row level security;
create policy store on farm.wakeup to gantry_app using ("storeId" = current_setting('gantry.store', true));
grant select, insert, update on farm.wakeup to gantry_app;
