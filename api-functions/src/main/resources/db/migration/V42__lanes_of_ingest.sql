-- Models that an older version queued with the plain files do not fill the heap of the API, which now reads only these.
update farm."queueMessage" set queue = 'ingest-heavy'
where queue = 'ingest' and body ->> 'type' not in ('gcode', 'gcode3mf');
