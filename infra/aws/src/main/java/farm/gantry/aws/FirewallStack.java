package farm.gantry.aws;

import java.util.List;
import java.util.Map;
import software.amazon.awscdk.CfnOutput;
import software.amazon.awscdk.Environment;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.StackProps;
import software.amazon.awscdk.Tags;
import software.amazon.awscdk.services.wafv2.CfnWebACL;
import software.constructs.Construct;

/**
 * The stack with the firewall of a stage: AWS's common rules, and a limit of the requests of an address. A web ACL for
 * CloudFront must be in us-east-1, so it is a stack of its own.
 */
final class FirewallStack extends Stack {
    private static final String REGION = "us-east-1";
    static final String ACL = "Firewall";

    FirewallStack(Construct scope, StageSettings stage) {
        super(
                scope,
                nameOf(stage),
                StackProps.builder()
                        .description("Gantry, firewall of the stage " + stage.name())
                        .env(Environment.builder().region(REGION).build())
                        .build());
        CfnWebACL acl = CfnWebACL.Builder.create(this, "Acl")
                .name(nameOf(stage))
                .scope("CLOUDFRONT")
                .defaultAction(CfnWebACL.DefaultActionProperty.builder()
                        .allow(CfnWebACL.AllowActionProperty.builder().build())
                        .build())
                .visibilityConfig(visibility("all"))
                .rules(List.of(
                        CfnWebACL.RuleProperty.builder()
                                .name("requests-of-an-address")
                                .priority(0)
                                .action(CfnWebACL.RuleActionProperty.builder()
                                        .block(CfnWebACL.BlockActionProperty.builder()
                                                .build())
                                        .build())
                                .statement(CfnWebACL.StatementProperty.builder()
                                        .rateBasedStatement(CfnWebACL.RateBasedStatementProperty.builder()
                                                .aggregateKeyType("IP")
                                                .limit(stage.firewallRequests())
                                                .evaluationWindowSec(300)
                                                .build())
                                        .build())
                                .visibilityConfig(visibility("requests-of-an-address"))
                                .build(),
                        CfnWebACL.RuleProperty.builder()
                                .name("common-rules")
                                .priority(1)
                                .overrideAction(CfnWebACL.OverrideActionProperty.builder()
                                        .none(Map.of())
                                        .build())
                                .statement(CfnWebACL.StatementProperty.builder()
                                        .managedRuleGroupStatement(CfnWebACL.ManagedRuleGroupStatementProperty.builder()
                                                .vendorName("AWS")
                                                .name("AWSManagedRulesCommonRuleSet")
                                                // Lists of jobs and macros are larger than its 8 KB.
                                                .ruleActionOverrides(List.of(countOnly("SizeRestrictions_BODY")))
                                                .build())
                                        .build())
                                .visibilityConfig(visibility("common-rules"))
                                .build()))
                .build();
        Tags.of(this).add("gantry:stage", stage.name());
        CfnOutput.Builder.create(this, ACL).value(acl.getAttrArn()).build();
    }

    static String nameOf(StageSettings stage) {
        return "gantry-" + stage.name() + "-firewall";
    }

    private static CfnWebACL.RuleActionOverrideProperty countOnly(String rule) {
        return CfnWebACL.RuleActionOverrideProperty.builder()
                .name(rule)
                .actionToUse(CfnWebACL.RuleActionProperty.builder()
                        .count(CfnWebACL.CountActionProperty.builder().build())
                        .build())
                .build();
    }

    private static CfnWebACL.VisibilityConfigProperty visibility(String metric) {
        return CfnWebACL.VisibilityConfigProperty.builder()
                .cloudWatchMetricsEnabled(true)
                .metricName(metric)
                .sampledRequestsEnabled(true)
                .build();
    }
}
