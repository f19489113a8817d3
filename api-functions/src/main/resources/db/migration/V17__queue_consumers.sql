-- Several consumers share a queue: who took a message, the order of arrival, and messages that may only be worked on one
-- after another (those of a group).
alter table farm."queueMessage"
  add "takenBy" text,
  add "group" text,
  add number bigint generated always as identity,
  -- Not rounded up: a message would then be invisible to who is woken for it.
  alter "visibleAt" set default date_trunc('milliseconds', now());
drop index farm."queueMessage_queue_visibleAt_idx";
create index on farm."queueMessage" (queue, number);
create index on farm."queueMessage" ("group", number) where "group" is not null;
create index on farm."queueMessage" ("takenBy") where "takenBy" is not null;
