-- A material of an option's property is an array of choices, the first choice first; it was one choice.
update farm."skuOptionPropertyValue" set "materialValue" = json_build_array("materialValue")
where json_typeof("materialValue") = 'object';
