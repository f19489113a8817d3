/** The record of an integration. */
@NullMarked
package farm.gantry.integration;

import org.jspecify.annotations.NullMarked;
