-- Which of the processes on this database does the background work of all; a row that is lost in a crash is written again.
create unlogged table farm."workLease" (
  id int primary key check (id = 1),
  holder text not null,
  "heldUntil" timestamptz not null
);
grant select, insert, update on farm."workLease" to gantry_app;
