package farm.gantry.api.main;

import org.slf4j.LoggerFactory;

/** Is notified of the events of an install. */
public interface InstallListener {
    /**
     * A notice for the operator, for example that PostgreSQL ended or restarted, or that no sandbox hides files
     * from tools.
     */
    default void onNotice(String notice) {
        LoggerFactory.getLogger(InstallListener.class).warn(notice);
    }

    /**
     * The owner's key of an empty installation, before it is stored: a start that fails in between leaves the
     * installation empty.
     */
    default void onOwnerKey(String key) {}
}
