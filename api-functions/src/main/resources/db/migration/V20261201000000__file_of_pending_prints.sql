-- The file that a print was asked for: it must not be queued for another one. Prints that an older version adds during an upgrade have
-- none and are not queued.
alter table farm."pendingPrint" add column "fileHash" text not null default '';
update farm."pendingPrint" w set "fileHash" = p."fileHashes"->>0
from farm.part p where p."storeId" = w."storeId" and p.id = w."partId" and p."processingStatus" = 'processing';
delete from farm."pendingPrint" where "fileHash" = '';
