-- The hash of the settings that a job's slice was asked for with: jobs whose settings changed since are sliced anew.
alter table farm."printJob" add column "setupHash" text;
