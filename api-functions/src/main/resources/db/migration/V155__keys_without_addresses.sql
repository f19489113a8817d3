-- A list of addresses without any let a key in from nowhere, and is refused by now: a key that has one could not be renamed. It
-- stays shut, switched off; whoever switches it on lets it in from everywhere.
update farm."apiKey" set active = false, "ipAllowlist" = null where "ipAllowlist"::text ~ '^\s*\[\s*\]\s*$';
