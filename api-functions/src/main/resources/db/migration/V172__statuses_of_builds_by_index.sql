-- Which statuses the jobs of a build have is asked with each change of one: a look into the index for each status, not at each job.
create index on farm."printJob" ("storeId", "partBuildId", status);
drop index farm."printJob_storeId_partBuildId_idx";
