/** The services outside. */
@NullMarked
package farm.gantry.api.integration;

import org.jspecify.annotations.NullMarked;
