package farm.gantry.api.store;

import farm.gantry.api.Farm;

/** The master key of a setting. */
final class ConfiguredMasterKeyTest implements MasterKeyContract {
    @Override
    public MasterKey masterKey() {
        return new ConfiguredMasterKey(Farm.SECRET_KEY);
    }
}
