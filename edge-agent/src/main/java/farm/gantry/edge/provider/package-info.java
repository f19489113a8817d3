/** The list of providers. */
@NullMarked
package farm.gantry.edge.provider;

import org.jspecify.annotations.NullMarked;
