/** Child processes, memory options, locks and secret files. */
@NullMarked
package farm.gantry.api.main.process;

import org.jspecify.annotations.NullMarked;
