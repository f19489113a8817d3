-- Whether messages contain a picture of the printer or the part.
alter table farm."notificationChannel" add column picture boolean not null default false;
