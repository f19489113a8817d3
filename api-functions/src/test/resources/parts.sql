-- Ten thousand parts in every store, as an ingest leaves them.
insert into farm.part
select s."storeId",
       '000000000000000000' || n,
       timestamptz '2026-01-01' + n * interval '1 minute',
       timestamptz '2026-01-02 00:00:00.125' + n * interval '1 minute',
       (array['Bracket', 'Clip', 'Gehäuse', 'Hinge', 'Knob'])[1 + n % 5] || ' ' || left(md5(n::text), 10),
       (array['3mf', 'stl', '3mf', 'gcode'])[1 + n / 5 % 4],
       'Four walls, no "supports"',
       json_build_array('gantry://files/parts/000000000000000000' || n || '/model.3mf'),
       json_build_array(repeat(md5(n::text), 2)),
       'gantry://files/parts/000000000000000000' || n || '/plate-1.png',
       '[]',
       '{"filament.type":"PETG","printer.nozzleDiameter":"0.4"}',
       null, null,
       '[{"index":0,"color":"#1A2B3C","identifier":"GFG99","name":"PETG Basic","type":"PETG"}]',
       null,
       '{"filamentColors":["#1A2B3C"],"filamentType":["PETG"],"nozzleDiameter":"0.4","printerModel":"Four",'
         '"profileCompat":{"compatible":["Four"],"safe":["FourS"],"sliced":"Four"},'
         '"slicerVersion":{"engine":"slicer3","version":"2.9.0"}}',
       ('{"estimatedPrintTimeSeconds":' || 600 + n % 9000 || ',"totalWeightGrams":41.3,"slicedAt":'
         '"2026-01-01T00:00:00Z","slicerVersion":"2.9.0","materials":[]}')::json,
       false, true,
       '["spare","kitchen"]',
       null,
       null,
       null, null,
       timestamptz '2026-01-01' + n * interval '1 minute',
       '{"customer":"Ada","batch":7}',
       null, null, null
from generate_series(100000, 109999) n, farm.store s
order by n, s."storeId";

-- In one store, twenty folders, and a SKU for every part.
insert into farm.folder
select f.id, '0000000000000000000000' || n, timestamptz '2026-01-01', timestamptz '2026-01-01', 'part', 'folder ' || n, null
from generate_series(10, 29) n, (select min("storeId") id from farm.store) f;
update farm.part set "folderId" = '0000000000000000000000' || 10 + right(id, 4)::int % 20
where "storeId" = (select min("storeId") from farm.store);
insert into farm.sku
select "storeId", id, "createdAt", "updatedAt", 'S-' || id, name, '', null, null, null, 0, '{}' from farm.part
where "storeId" = (select min("storeId") from farm.store);
insert into farm."linkedPart"
select "storeId", id, "createdAt", "updatedAt", id, id, name, 1, '[]', '[]', null, null, null, null, null from farm.part
where "storeId" = (select min("storeId") from farm.store);
