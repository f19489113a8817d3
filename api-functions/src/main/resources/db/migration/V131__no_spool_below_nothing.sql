-- Whatever happens at once, a spool has no less than nothing; what older versions kept is not looked at.
alter table farm."materialInstance" add check ("remainingGrams" >= 0) not valid;
