-- What is no longer of an integration is not of its type either.
create function farm.forget_integration_type() returns trigger language plpgsql as
$$ begin new."integrationType" := null; return new; end $$;
create trigger forget_integration_type before update of "integrationId" on farm.printer for each row
  when (old."integrationId" is not null and new."integrationId" is null) execute function farm.forget_integration_type();
create trigger forget_integration_type before update of "integrationId" on farm.profile for each row
  when (old."integrationId" is not null and new."integrationId" is null) execute function farm.forget_integration_type();
