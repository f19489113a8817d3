/** The edge link: pairing, reports, events and commands. */
@NullMarked
package farm.gantry.api.link;

import org.jspecify.annotations.NullMarked;
