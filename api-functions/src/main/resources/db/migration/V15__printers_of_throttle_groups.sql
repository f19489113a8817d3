-- A group's printers, as a column that is not kept but asked of the printers: PostgreSQL calls the function for
-- g."printerIds", as long as it finds it unqualified, and therefore it stands in public.
create function public."printerIds"(g farm."printerThrottleGroup") returns json
language sql stable set search_path = farm as
$$ select coalesce(json_agg(p.id order by p.id), '[]') from printer p
   where p."storeId" = g."storeId" and p."throttleGroupId" = g.id $$;
