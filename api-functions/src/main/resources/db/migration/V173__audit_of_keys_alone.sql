-- Only what an API key changes is noted. That a change is the farm's own was found by calling the function, which took twice as
-- long as the change of the row.
create or replace function farm.audit(audited text, variadic hidden text[] default '{}') returns void language plpgsql as $$
declare
  arguments text := (select coalesce(string_agg(quote_literal(name), ','), '') from unnest(hidden) name);
  noted text := format('for each statement when (current_setting(''gantry.key'', true) <> '''')
    execute function farm.note_audit(%s)', arguments);
begin
  execute format('create or replace trigger audit_created after insert on farm.%I referencing new table as changed %s',
    audited, noted);
  execute format('create or replace trigger audit_updated after update on farm.%I
    referencing old table as replaced new table as changed %s', audited, noted);
  execute format('create or replace trigger audit_deleted after delete on farm.%I referencing old table as changed %s',
    audited, noted);
end $$;

do $$
declare made text;
begin
  for made in select pg_get_triggerdef(oid) from pg_trigger where tgfoid = 'farm.note_audit'::regproc loop
    execute replace(replace(made, 'CREATE TRIGGER', 'CREATE OR REPLACE TRIGGER'), ' EXECUTE FUNCTION ',
      ' WHEN (current_setting(''gantry.key'', true) <> '''') EXECUTE FUNCTION ');
  end loop;
end $$;
