-- An error of the printer was told to subscribers, and the printer has reported no status without a fault since.
alter table farm.printer add column "isErrorOpen" boolean not null default false;

update farm.printer p set "isErrorOpen" = true
where exists (
  select from farm."webhookDelivery" d
  where d."storeId" = p."storeId" and d."faultySubject" = p.id and d.event = 'onPrinterHmsError' and d."resolvedAt" is null
    and d.status in ('pending', 'delivered'));
