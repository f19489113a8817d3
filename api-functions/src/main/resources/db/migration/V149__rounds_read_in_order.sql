-- A scheduling round reads the queue in its order, of which the last part was missing: all that waits was sorted for each page.
create index on farm."printJob" ("storeId", priority, "queueOrder", id) where status = 'Pending';
drop index farm."printJob_storeId_priority_queueOrder_idx";
-- What changes of printers all the time is in no index, so that a page with room takes it without a new entry in each.
alter table farm.printer set (fillfactor = 50);
