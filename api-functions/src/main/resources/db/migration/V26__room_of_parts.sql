-- The room that a part needs, in mm, and what the scheduler asks of it.
alter table farm.part add column size json;
alter table farm."partBuild"
  add column "fileSize" json generated always as
    (case when json_typeof("partCopy"->'size') = 'object' then "partCopy"->'size' end) stored;
