-- Lists come in this order unless they ask for another; without it each page of printers read all of them.
create index on farm.printer ("storeId", "createdAt", id);
create index on farm."materialInstance" ("storeId", "createdAt", id);
create index on farm."linkedPart" ("storeId", "createdAt", id);
-- The same as its neighbour.
drop index farm."printer_storeId_throttleGroupId_idx1";
