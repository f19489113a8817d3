package farm.gantry.api.main.function;

import com.amazonaws.services.lambda.runtime.Context;
import farm.gantry.api.link.AgentPresence;

/**
 * Publishes how many agents are online and how many should be, as metrics of CloudWatch in the embedded metric format:
 * a line in the function's log, which needs no permission and no request.
 */
final class AgentPresenceMetrics {
    private AgentPresenceMetrics() {}

    static void publish(AgentPresence agents, Context context) {
        context.getLogger().log("""
                        {"_aws":{"Timestamp":%d,"CloudWatchMetrics":[{"Namespace":"Gantry","Dimensions":[["FunctionName"]],\
                        "Metrics":[{"Name":"AgentsOnline","Unit":"Count"},{"Name":"AgentsExpected","Unit":"Count"}]}]},\
                        "FunctionName":"%s","AgentsOnline":%d,"AgentsExpected":%d}
                        """.formatted(
                        System.currentTimeMillis(), context.getFunctionName(), agents.online(), agents.expected()));
    }
}
