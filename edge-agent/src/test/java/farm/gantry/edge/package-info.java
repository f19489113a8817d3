/** What the tests of the agent share: a fake API, print files, and patience. */
@NullMarked
package farm.gantry.edge;

import org.jspecify.annotations.NullMarked;
