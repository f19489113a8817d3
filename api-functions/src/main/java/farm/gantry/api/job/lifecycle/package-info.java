/** Transitions of print jobs: retry, cancellation, replacement, quality, spool usage and order progress. */
@NullMarked
package farm.gantry.api.job.lifecycle;

import org.jspecify.annotations.NullMarked;
