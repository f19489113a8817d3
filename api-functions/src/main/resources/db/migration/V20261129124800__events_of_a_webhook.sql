-- The events that a channel is subscribed to are one array, so that a new event needs no column.
alter table farm."notificationSetting" add column events json not null default '[]';

update farm."notificationSetting" n set events = coalesce(
  (select json_agg(c.key) from json_each(to_json(n)) c where c.key ~ '^on[A-Z]' and c.value::text = 'true'), '[]');

do $$
declare
  event text;
begin
  for event in select column_name from information_schema.columns
    where table_schema = 'farm' and table_name = 'notificationSetting' and column_name ~ '^on[A-Z]' loop
    execute format('alter table farm."notificationSetting" drop column %I', event);
  end loop;
end $$;
