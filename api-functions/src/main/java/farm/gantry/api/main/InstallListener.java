package farm.gantry.api.main;

import org.slf4j.LoggerFactory;

/** Receives events of an installation while it starts and runs. */
public interface InstallListener {
    /**
     * Receives a message for the operator, for example that PostgreSQL restarted or that no sandbox hides files from
     * tools.
     */
    default void onNotice(String notice) {
        LoggerFactory.getLogger(InstallListener.class).warn(notice);
    }

    /**
     * Receives the owner's key of an empty installation before it is stored: a start that fails in between leaves the
     * installation empty.
     */
    default void onOwnerKey(String key) {}
}
