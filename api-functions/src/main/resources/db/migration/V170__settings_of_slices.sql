-- The digest of the settings that a job's slice was asked for with: jobs whose settings changed since are sliced anew.
alter table farm."printJob" add column "setupDigest" text;
