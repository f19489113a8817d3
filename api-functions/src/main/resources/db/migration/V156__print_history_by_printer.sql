-- The history of one printer, newest first, without reading that of all.
create index on farm."printJob" ("storeId", "assignedPrinterId", "finishedAt" desc, id)
  where status in ('Completed', 'Failed', 'Cancelled');
-- Those who keep a copy of the jobs ask for what changed since they looked.
create index on farm."printJob" ("storeId", "updatedAt", id);
