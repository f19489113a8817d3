/** The settings of the server and its workers: their names, and the check that a start knows every one that is given. */
@NullMarked
package farm.gantry.api.settings;

import org.jspecify.annotations.NullMarked;
