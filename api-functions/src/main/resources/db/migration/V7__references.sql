-- What the records say they refer to, held by the database too: an id of another record names one of the same store.
update farm.part p set "folderId" = null
  where not exists (select from farm.folder f where f."storeId" = p."storeId" and f.id = p."folderId");
update farm.part p set "overriddenProcessProfileId" = null
  where not exists (select from farm.profile f where f."storeId" = p."storeId" and f.id = p."overriddenProcessProfileId");
update farm.printer p set "machineUserProfileId" = null
  where not exists (select from farm.profile f where f."storeId" = p."storeId" and f.id = p."machineUserProfileId");
update farm.printer p set "processUserProfileId" = null
  where not exists (select from farm.profile f where f."storeId" = p."storeId" and f.id = p."processUserProfileId");
update farm.printer p set "proxyClientId" = null
  where not exists (select from farm.agent a where a."storeId" = p."storeId" and a.id = p."proxyClientId");
update farm.printer p set "throttleGroupId" = null
  where not exists (select from farm."printerThrottleGroup" g
                    where g."storeId" = p."storeId" and g.id = p."throttleGroupId");
update farm.material m set "filamentUserProfileId" = null
  where not exists (select from farm.profile f where f."storeId" = m."storeId" and f.id = m."filamentUserProfileId");
update farm."materialVariant" m set "filamentUserProfileId" = null
  where not exists (select from farm.profile f where f."storeId" = m."storeId" and f.id = m."filamentUserProfileId");

alter table farm.part
  add foreign key ("storeId", "folderId") references farm.folder,
  add foreign key ("storeId", "overriddenProcessProfileId") references farm.profile;
alter table farm.printer
  add foreign key ("storeId", "machineUserProfileId") references farm.profile,
  add foreign key ("storeId", "processUserProfileId") references farm.profile,
  add foreign key ("storeId", "proxyClientId") references farm.agent on delete set null ("proxyClientId"),
  add foreign key ("storeId", "throttleGroupId") references farm."printerThrottleGroup"
    on delete set null ("throttleGroupId");
alter table farm.material add foreign key ("storeId", "filamentUserProfileId") references farm.profile;
alter table farm."materialVariant" add foreign key ("storeId", "filamentUserProfileId") references farm.profile;

-- Each reference is also looked up from its other end.
create index on farm.part ("storeId", "overriddenProcessProfileId") where "overriddenProcessProfileId" is not null;
create index on farm.printer ("storeId", "machineUserProfileId") where "machineUserProfileId" is not null;
create index on farm.printer ("storeId", "processUserProfileId") where "processUserProfileId" is not null;
create index on farm.printer ("storeId", "throttleGroupId") where "throttleGroupId" is not null;
create index on farm.material ("storeId", "filamentUserProfileId") where "filamentUserProfileId" is not null;
create index on farm."materialVariant" ("storeId", "filamentUserProfileId") where "filamentUserProfileId" is not null;
