-- New stores have jobs wait for a spool that has enough left; a person may let one job start anyway.
alter table farm.store alter column "requireSufficientMaterial" set default true;
alter table farm."printJob" add column "allowInsufficientMaterial" boolean not null default false;
