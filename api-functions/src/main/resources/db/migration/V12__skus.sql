-- Products, the parts they are printed from, and what they cost.
create table farm.sku (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  sku text not null,
  title text not null,
  description text not null,
  "externalId" text,
  "externalProvider" text,
  "folderId" text,
  "totalCogs" bigint not null,
  "customMetadata" json not null,
  primary key ("storeId", id),
  unique ("storeId", sku),
  foreign key ("storeId", "folderId") references farm.folder
);
create index on farm.sku ("storeId", "folderId") where "folderId" is not null;
create index on farm.sku ("storeId", "createdAt", id);

create table farm."linkedPart" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  "skuId" text,
  "partId" text not null,
  label text not null,
  quantity integer not null,
  parameters json not null,
  "exposedParameters" json not null,
  "materialAssignments" json,
  "parameterBindings" json,
  "sequenceBindings" json,
  "plateQuantitiesBinding" text,
  extensions json,
  primary key ("storeId", id),
  foreign key ("storeId", "skuId") references farm.sku on delete cascade,
  foreign key ("storeId", "partId") references farm.part
);
create index on farm."linkedPart" ("storeId", "skuId");
create index on farm."linkedPart" ("storeId", "partId");

create table farm."costComponent" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  name text not null,
  type text not null,
  unit text not null,
  rate double precision not null,
  primary key ("storeId", id)
);

create table farm."skuCost" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  "skuId" text not null,
  "costComponentId" text not null,
  quantity double precision not null,
  primary key ("storeId", id),
  foreign key ("storeId", "skuId") references farm.sku on delete cascade,
  foreign key ("storeId", "costComponentId") references farm."costComponent"
);
create index on farm."skuCost" ("storeId", "skuId");
create index on farm."skuCost" ("storeId", "costComponentId");

do $$
declare t text;
begin
  foreach t in array array['sku', 'linkedPart', 'costComponent', 'skuCost'] loop
    execute format('alter table farm.%I enable row level security', t);
    execute format('alter table farm.%I force row level security', t);
    execute format('create policy store on farm.%I to gantry_app using ("storeId" = current_setting(''gantry.store'', true))', t);
    execute format('create policy lookup on farm.%I for select to gantry_lookup using (true)', t);
    execute format('grant select, insert, update, delete on farm.%I to gantry_app', t);
  end loop;
end $$;

-- What 1000 g of a filament cost: the first of the choices that has a price. A type or a group costs what its materials
-- cost on average, and so does the type of a filament for which nobody chose anything.
create function farm.filament_price(store text, choices json, filament text) returns numeric
language sql stable set search_path = farm as
$$ select coalesce(
     (select c.price
      from (select a.place, coalesce(
              (select coalesce(v."pricePer1000g", m."pricePer1000g")
               from "materialVariant" v join material m on m."storeId" = v."storeId" and m.id = v."materialId"
               where v."storeId" = store and v.id = a.choice->>'variantId'),
              (select m."pricePer1000g" from material m where m."storeId" = store and m.id = a.choice->>'materialId'),
              (select avg(coalesce(v."pricePer1000g", m."pricePer1000g"))
               from "materialGroupMember" g
               join "materialVariant" v on v."storeId" = g."storeId" and v.id = g."variantId"
               join material m on m."storeId" = v."storeId" and m.id = v."materialId"
               where g."storeId" = store and g."groupId" = a.choice->>'groupId'),
              (select avg(m."pricePer1000g") from material m
               where m."storeId" = store and m.type = a.choice->>'materialType')) as price
            from json_array_elements(choices) with ordinality as a(choice, place)) c
      where c.price is not null order by c.place limit 1),
     (select avg(m."pricePer1000g") from material m where m."storeId" = store and m.type = filament and choices is null)) $$;

-- The filaments of SKUs' parts, with the grams of one copy and the cents of all; a SKU that says how many of each plate
-- takes those, and others one of each. Each price is asked for once, for many filaments share it.
create function farm.filament_costs(store text, skus text[])
returns table ("skuId" text, "linkedPartId" text, "partId" text, label text, quantity integer, index integer,
               "materialType" text, grams numeric, "pricePer1000g" numeric, cents numeric)
language sql stable set search_path = farm as
$$ with used as materialized (
     select l."skuId", l.id, l."partId", l.label, l.quantity, l."createdAt", used.index, used.type, used.grams,
            coalesce(coalesce(
              l."materialAssignments"->used.index::text,
              (select json_agg(json_build_object('variantId', a."variantId", 'materialId', a."materialId",
                                                 'groupId', a."groupId", 'materialType', a."materialType")
                               order by a.priority)
               from "partMaterialAssignment" a
               where a."storeId" = store and a."partId" = p.id and a.index = used.index))::text, '') as choices
     from "linkedPart" l
     join part p on p."storeId" = l."storeId" and p.id = l."partId"
     cross join lateral (select l.extensions->'3mf'->'plateQuantities' as quantities) asked
     cross join lateral (
       select json_typeof(p."slicingEstimate"->'plates') = 'array' and asked.quantities::text <> '{}' is true as by_plate) way
     cross join lateral (
       select (m.filament->>'index')::integer as index, coalesce(min(m.filament->>'materialType'), '') as type,
              sum((m.filament->>'usedGrams')::numeric * m.times) as grams
       from (select f.filament, 1 as times
             from json_array_elements(p."slicingEstimate"->'materials') as f(filament) where not way.by_plate
             union all
             select f.filament, coalesce((asked.quantities->>(s.plate->>'plateId'))::integer, 0)
             from json_array_elements(p."slicingEstimate"->'plates') as s(plate)
             cross join lateral json_array_elements(s.plate->'materials') as f(filament) where way.by_plate) m
       group by 1) used
     where l."storeId" = store and l."skuId" = any(skus)),
   paid as materialized (
     select asked.choices, asked.type, filament_price(store, nullif(asked.choices, '')::json, asked.type) as price
     from (select distinct choices, type from used) asked)
   select u."skuId", u.id, u."partId", u.label, u.quantity, u.index, u.type, u.grams, paid.price,
          u.quantity * u.grams * coalesce(paid.price, 0) / 1000
   from used u join paid on paid.choices = u.choices and paid.type = u.type
   order by u."skuId", u."createdAt", u.id, u.index $$;

-- The same of their cost components.
create function farm.component_costs(store text, skus text[])
returns table ("skuId" text, "skuCostId" text, "costComponentId" text, name text, type text, unit text,
               rate double precision, quantity double precision, cents numeric)
language sql stable set search_path = farm as
$$ select s."skuId", s.id, c.id, c.name, c.type, c.unit, c.rate, s.quantity, c.rate::numeric * s.quantity::numeric
   from "skuCost" s join "costComponent" c on c."storeId" = s."storeId" and c.id = s."costComponentId"
   where s."storeId" = store and s."skuId" = any(skus)
   order by s."skuId", s."createdAt", s.id $$;
