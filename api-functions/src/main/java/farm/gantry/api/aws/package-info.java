/**
 * AWS implementations of file storage, queues, key encryption and live state. Nothing of it is loaded unless a region
 * is set.
 */
@Configuration
@Requires(property = "gantry.aws.region")
package farm.gantry.api.aws;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
