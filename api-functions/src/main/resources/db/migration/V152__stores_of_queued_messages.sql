-- Stores take turns at the queues: one that brings thousands of parts does not keep those of others waiting.
alter table farm."queueMessage" add column "ofStore" text generated always as (body ->> 'storeId') stored;
