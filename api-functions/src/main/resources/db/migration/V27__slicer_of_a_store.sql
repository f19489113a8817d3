-- Which slicer a store prefers is its own to say: the default was one that few machines have, and nothing asked for it.
alter table farm.store alter column slicer drop not null, alter column slicer drop default;
update farm.store set slicer = null;
