-- A keyed hash of the session and the printers that an agent was last told of, for whichever process answers it next.
alter table farm.agent add column told text;
