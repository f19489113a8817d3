-- A session keeps the plan of its first such trigger. Made for one job, that plan compares each old row with each new one: a
-- thousand jobs that move in one statement took a second, twenty thousand longer than a statement may.
alter function farm.note_moved_jobs() set enable_nestloop = off;
alter function farm.note_audit() set enable_nestloop = off;
