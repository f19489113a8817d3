-- What must be warm before a job's print begins, for printers that start one after another, and how far it goes.
alter table farm."printJob" add column "layerCount" integer;
alter table farm."printJob" add column "firstLayerBedTemperature" double precision;
alter table farm."printJob" add column "firstLayerNozzleTemperature" double precision;
