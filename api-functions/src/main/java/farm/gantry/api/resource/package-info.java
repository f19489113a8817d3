/** The routes that all resources have. */
@NullMarked
package farm.gantry.api.resource;

import org.jspecify.annotations.NullMarked;
