-- A blank device was claimed over all stores as if it were a machine's, and is refused by now: a printer that has one could not
-- be renamed. It has none.
update farm.printer set "deviceId" = null where "deviceId" !~ '\S';
delete from farm."deviceClaim" where "deviceId" !~ '\S';
