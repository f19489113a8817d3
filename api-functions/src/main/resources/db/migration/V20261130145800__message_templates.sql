-- Title and text of a channel's messages; null for those of Gantry.
alter table farm."notificationChannel" add column template json;
