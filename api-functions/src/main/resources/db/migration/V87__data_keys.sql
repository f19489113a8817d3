-- Keys that seal secrets, each wrapped by the install's master key, which is kept elsewhere. Sealed texts name their key's
-- version. Version 1, of installs before this table, is the master key itself and has no row.
create table farm."dataKey" (
  version integer primary key check (version > 1),
  wrapped text not null,
  "createdAt" timestamptz(3) not null default now()
);
grant select, insert on farm."dataKey" to gantry_app;
