package farm.gantry.aws;

import java.util.List;
import java.util.Map;
import software.amazon.awscdk.Aws;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.cloudwatch.Metric;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.amazon.awscdk.services.iot.CfnAuthorizer;
import software.amazon.awscdk.services.iot.CfnDomainConfiguration;
import software.amazon.awscdk.services.iot.CfnTopicRule;
import software.amazon.awscdk.services.lambda.Alias;
import software.amazon.awscdk.services.lambda.Permission;
import software.constructs.Construct;

/**
 * The configuration of AWS IoT Core as the MQTT broker of the link: the authorizer of agents, and the rules that
 * forward their messages to functions.
 */
final class LinkBroker extends Construct {
    /** The SQL of the rules, which selects the input of the link's function. */
    private static final String MESSAGE = "SELECT topic(3) AS agentId, topic(4) AS kind, timestamp() AS sentAt,"
            + " get_user_properties('authorization') AS authorization, get_user_properties('wait') AS wait,"
            + " get_mqtt_property('correlation_data') AS correlation, encode(*, 'base64') AS body"
            + " FROM 'gantry/link/+/";

    private final String domain;

    LinkBroker(Construct scope, StageSettings stage, Alias authorizer, Alias link, Alarms alarms) {
        super(scope, "LinkBroker");
        CfnAuthorizer tokens = CfnAuthorizer.Builder.create(this, "Authorizer")
                .authorizerName(stage.prefix() + "link")
                .authorizerFunctionArn(authorizer.getFunctionArn())
                .signingDisabled(true) // the password is the agent's token, which the function checks
                .status("ACTIVE")
                .build();
        allowCalls(authorizer, "Authorizer", tokens.getAttrArn());
        this.domain = stage.prefix() + "link";
        CfnDomainConfiguration.Builder.create(this, "Domain")
                .domainConfigurationName(domain)
                .domainConfigurationStatus("ENABLED")
                .serviceType("DATA")
                .applicationProtocol("SECURE_MQTT")
                .authenticationType("CUSTOM_AUTH")
                .authorizerConfig(CfnDomainConfiguration.AuthorizerConfigProperty.builder()
                        .defaultAuthorizerName(tokens.getRef())
                        .allowAuthorizerOverride(false)
                        .build())
                .tlsConfig(CfnDomainConfiguration.TlsConfigProperty.builder()
                        .securityPolicy("IoTSecurityPolicy_TLS13_1_2_2022_10")
                        .build())
                .build();
        for (String kind : List.of("up", "gone")) {
            addRule(stage, kind, link, alarms);
        }
    }

    private void addRule(StageSettings stage, String kind, Alias link, Alarms alarms) {
        String name = (stage.prefix() + "link-" + kind).replace('-', '_');
        CfnTopicRule rule = CfnTopicRule.Builder.create(this, kind)
                .ruleName(name)
                .topicRulePayload(CfnTopicRule.TopicRulePayloadProperty.builder()
                        .sql(MESSAGE + kind + "'")
                        .awsIotSqlVersion("2016-03-23")
                        .ruleDisabled(false)
                        .actions(List.of(CfnTopicRule.ActionProperty.builder()
                                .lambda(CfnTopicRule.LambdaActionProperty.builder()
                                        .functionArn(link.getFunctionArn())
                                        .build())
                                .build()))
                        .build())
                .build();
        allowCalls(link, kind, rule.getAttrArn());
        alarms.addFailureAlarm(
                this,
                kind,
                "Messages of agents that reach no function",
                "messages of agents by MQTT do not reach the function link-mqtt",
                Alarms.SEVERAL,
                Metric.Builder.create()
                        .namespace("AWS/IoT")
                        .metricName("Failure")
                        .dimensionsMap(Map.of("RuleName", name, "ActionType", "Lambda"))
                        .period(Duration.minutes(5))
                        .statistic("Sum")
                        .build());
    }

    private static void allowCalls(Alias function, String id, String caller) {
        function.addPermission(
                id,
                Permission.builder()
                        .principal(new ServicePrincipal("iot.amazonaws.com"))
                        .sourceArn(caller)
                        .sourceAccount(Aws.ACCOUNT_ID)
                        .build());
    }

    /** Returns the name of the domain configuration, which has the broker's address. */
    String domain() {
        return domain;
    }
}
