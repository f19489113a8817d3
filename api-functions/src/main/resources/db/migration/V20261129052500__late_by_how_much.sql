-- How long after its deadline an order will likely be done.
alter table farm."orderPromise" add column "lateSeconds" bigint not null default 0;
