package farm.gantry.api.store;

import farm.gantry.api.SharedApi;

/** The master key of a setting. */
final class ConfiguredMasterKeyTest implements MasterKeyContract {
    @Override
    public MasterKey masterKey() {
        return new ConfiguredMasterKey(SharedApi.SECRET_KEY);
    }
}
