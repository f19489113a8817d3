-- The time at which ended prints of the order were deleted; it can then not be reopened, because what it lacks is not known.
alter table farm."order" add column "printsDeletedAt" timestamptz(3);

grant delete on farm."printJob", farm."printAttempt", farm."filamentUse", farm."sliceAsked", farm."partBuild", farm."skuBuild" to gantry_app;
