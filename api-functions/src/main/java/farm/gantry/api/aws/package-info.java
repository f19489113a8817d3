/** What stands for the one machine's files, queues, keys and live state on AWS; nothing of it is loaded without a region. */
@Configuration
@Requires(property = "gantry.aws.region")
package farm.gantry.api.aws;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
