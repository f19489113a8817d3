package farm.gantry.api.apikey;

import farm.gantry.api.security.Caller;
import jakarta.inject.Singleton;

/** Authenticates work that this process does under a configured API key. */
@Singleton
public final class WorkCallers {
    private final Authentication authentication;

    WorkCallers(Authentication authentication) {
        this.authentication = authentication;
    }

    /**
     * Returns the caller of a key that is read now. Throws if the key is invalid, expired or limited to addresses.
     *
     * @param origin name of the work in the audit log
     */
    public Caller authenticate(String key, String origin) {
        return authentication.authenticateWork(key, origin);
    }
}
