-- Moves and changes are read in the order of their transactions, which their key follows now, and forgotten by their time, of
-- which a summary of each range of pages is enough: a build of 25,000 jobs wrote four entries for each move, and writes two.
alter table farm."jobMove" drop constraint "jobMove_pkey", add primary key ("storeId", changed, id);
alter table farm."recordChange" drop constraint "recordChange_pkey", add primary key ("storeId", changed, id);
drop index farm."jobMove_storeId_changed_id_idx", farm."recordChange_storeId_changed_id_idx",
  farm."jobMove_at_idx", farm."recordChange_at_idx";
create index on farm."jobMove" using brin (at);
create index on farm."recordChange" using brin (at);
