package farm.gantry.api.database;

import farm.gantry.api.fixture.SharedApi;

/** Tests a master key that is configured by a setting. */
final class ConfiguredMasterKeyTest implements MasterKeyContract {
    @Override
    public MasterKey masterKey() {
        return new ConfiguredMasterKey(SharedApi.SECRET_KEY);
    }
}
