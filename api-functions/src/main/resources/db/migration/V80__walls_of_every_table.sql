-- Every table of a store's records has "storeId" first in its key, and none is open to whom no policy names.
alter table farm."jobMove" drop constraint "jobMove_pkey", add primary key ("storeId", id);
alter table farm."recordChange" drop constraint "recordChange_pkey", add primary key ("storeId", id);

alter table farm."deviceClaim" enable row level security;
alter table farm."deviceClaim" force row level security;
create policy claims on farm."deviceClaim" to gantry_lookup using (true);
