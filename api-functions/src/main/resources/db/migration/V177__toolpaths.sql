-- What a part's G-code does (where it prints, its temperatures), and where a printer prints: what the scheduler compares.
alter table farm.part add column toolpath json;
alter table farm."partBuild"
  add column "fileToolpath" json generated always as
    (case when json_typeof("partCopy"->'toolpath') = 'object' then "partCopy"->'toolpath' end) stored;
alter table farm.printer add column "printableArea" json;
alter table farm.store add column "allowCheckOverride" boolean not null default false;
