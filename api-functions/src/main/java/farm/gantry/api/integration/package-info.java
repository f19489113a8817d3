/** Integrations with shops and drives, and their signed inbound calls. */
@NullMarked
package farm.gantry.api.integration;

import org.jspecify.annotations.NullMarked;
