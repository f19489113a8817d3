/** The services outside that the farm works with. */
@NullMarked
package farm.gantry.integration;

import org.jspecify.annotations.NullMarked;
