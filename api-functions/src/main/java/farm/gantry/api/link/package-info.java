/** The link to agents: pairing, exchanges, events, agents that lost their data. */
@NullMarked
package farm.gantry.api.link;

import org.jspecify.annotations.NullMarked;
