package farm.gantry.api.profile;

import farm.gantry.api.store.Tx;

/** Told of changes to what is sliced with which profile; the schedule implements it, which knows the jobs. */
public interface ProfileChanges {
    /** Follows a change of profiles, or of what names them, in its transaction and before it locks jobs or printers. */
    void follow(Tx tx);
}
