/** The archive of an installed server that people attach to an issue. */
@NullMarked
package farm.gantry.api.main.support;

import org.jspecify.annotations.NullMarked;
