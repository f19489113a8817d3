-- When a person said that the bed of a printer out of reach is clear: what was said long ago of one that nobody has seen holds no more.
alter table farm.printer add column "bedClearedAt" timestamptz(3);
