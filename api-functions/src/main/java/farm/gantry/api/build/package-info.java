/** The routes of builds: from a wish for copies to queued jobs. */
@NullMarked
package farm.gantry.api.build;

import org.jspecify.annotations.NullMarked;
