/** File storage, queues, key encryption and live state on AWS; not loaded unless an AWS region is set. */
@Configuration
@Requires(property = "gantry.aws.region")
package farm.gantry.api.aws;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
