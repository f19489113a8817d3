-- The process of the agent that is served, so that of two with one token only one is given commands.
alter table farm.agent add column instance text;
