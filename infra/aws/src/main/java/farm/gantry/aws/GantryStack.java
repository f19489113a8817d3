package farm.gantry.aws;

import java.util.List;
import java.util.Map;
import software.amazon.awscdk.CfnOutput;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.StackProps;
import software.amazon.awscdk.Tags;
import software.amazon.awscdk.aws_apigatewayv2_integrations.HttpLambdaIntegration;
import software.amazon.awscdk.services.apigatewayv2.AddRoutesOptions;
import software.amazon.awscdk.services.apigatewayv2.CfnStage;
import software.amazon.awscdk.services.apigatewayv2.HttpApi;
import software.amazon.awscdk.services.apigatewayv2.HttpMethod;
import software.amazon.awscdk.services.apigatewayv2.HttpStage;
import software.amazon.awscdk.services.apigatewayv2.ThrottleSettings;
import software.amazon.awscdk.services.budgets.CfnBudget;
import software.amazon.awscdk.services.logs.LogGroup;
import software.constructs.Construct;

/** The CloudFormation stack of one stage of the farm. */
final class GantryStack extends Stack {
    GantryStack(Construct scope, StageSettings stage, Artifacts artifacts) {
        super(
                scope,
                "gantry-" + stage.name(),
                StackProps.builder()
                        .description("Gantry, stage " + stage.name())
                        .terminationProtection(stage.keepsData())
                        .build());
        Network network = new Network(this, stage);
        DataStorage data = new DataStorage(this, stage, network);
        Alarms alarms = new Alarms(this, stage, data.key());
        WorkQueues queues = new WorkQueues(this, stage, alarms);
        HttpApi api = HttpApi.Builder.create(this, "Api")
                .apiName("gantry-" + stage.name())
                .createDefaultStage(false)
                .build();
        String address = stage.hasDistribution()
                ? new CloudFrontDistribution(this, stage, api, data.originSecret()).url()
                : api.getApiEndpoint();
        String publicUrl = stage.publicUrl().isEmpty() ? address : stage.publicUrl();
        data.allowBrowserAccessFrom(publicUrl);
        LambdaFunctions functions =
                new LambdaFunctions(this, stage, network, data, queues, alarms, artifacts, publicUrl);
        addRoutes(api, stage, functions);
        alarms.addFailureAlarm(
                this,
                "api-answers",
                "Error responses",
                "the API answers errors",
                Alarms.SEVERAL,
                api.metricServerError(Alarms.fiveMinuteSum()));
        new DatabaseAlarms(this, stage, data.database(), alarms);
        new StageDashboard(this, stage, functions, queues, alarms);
        if (stage.budgetDollars() > 0) {
            addBudget(stage);
        }
        Tags.of(this).add("gantry:stage", stage.name());
        CfnOutput.Builder.create(this, "Url")
                .value(stage.hasOriginSecret() ? publicUrl : api.getApiEndpoint())
                .build();
        CfnOutput.Builder.create(this, "LinkUrl").value(functions.linkUrl()).build();
        functions
                .broker()
                .ifPresent(broker -> CfnOutput.Builder.create(this, "LinkDomain")
                        .value(broker.domain())
                        .build());
        CfnOutput.Builder.create(this, "Console").value(publicUrl + "/console/").build();
        CfnOutput.Builder.create(this, "AdminFunction")
                .value(functions.function(LambdaFunctions.ADMIN).getFunctionName())
                .build();
        CfnOutput.Builder.create(this, "QueuePrefix")
                .value("https://sqs." + getRegion() + "." + getUrlSuffix() + "/" + getAccount() + "/" + stage.prefix())
                .build();
    }

    private void addRoutes(HttpApi api, StageSettings stage, LambdaFunctions functions) {
        HttpLambdaIntegration function = new HttpLambdaIntegration("Function", functions.api());
        for (String path : List.of("/", "/{proxy+}")) { // the second is all but the first
            api.addRoutes(AddRoutesOptions.builder()
                    .path(path)
                    .methods(List.of(HttpMethod.ANY))
                    .integration(function)
                    .build());
        }
        LogGroup access = LogGroup.Builder.create(this, "Access")
                .logGroupName("/gantry/" + stage.name() + "/access")
                .retention(LambdaFunctions.toRetention(stage.logDays()))
                .removalPolicy(RemovalPolicy.DESTROY)
                .build();
        HttpStage all = HttpStage.Builder.create(this, "Stage")
                .httpApi(api)
                .stageName("$default")
                .autoDeploy(true)
                .throttle(ThrottleSettings.builder()
                        .rateLimit(stage.requestsPerSecond())
                        .burstLimit(stage.burst())
                        .build())
                .build();
        // The path and no query: a signature may be in that.
        ((CfnStage) all.getNode().getDefaultChild())
                .setAccessLogSettings(CfnStage.AccessLogSettingsProperty.builder()
                        .destinationArn(access.getLogGroupArn())
                        .format(
                                "{\"requestId\":\"$context.requestId\",\"at\":\"$context.requestTime\",\"ip\":\"$context.identity.sourceIp\","
                                        + "\"method\":\"$context.httpMethod\",\"path\":\"$context.path\",\"status\":\"$context.status\","
                                        + "\"bytes\":\"$context.responseLength\",\"milliseconds\":\"$context.responseLatency\"}")
                        .build());
    }

    private void addBudget(StageSettings stage) {
        CfnBudget.Builder budget = CfnBudget.Builder.create(this, "Budget")
                .budget(CfnBudget.BudgetDataProperty.builder()
                        .budgetName("gantry-" + stage.name())
                        .budgetType("COST")
                        .timeUnit("MONTHLY")
                        .budgetLimit(CfnBudget.SpendProperty.builder()
                                .amount(stage.budgetDollars())
                                .unit("USD")
                                .build())
                        .costFilters(Map.of("TagKeyValue", List.of("user:gantry:stage$" + stage.name())))
                        .build());
        if (!stage.alarmsTo().isEmpty()) {
            budget.notificationsWithSubscribers(List.of(CfnBudget.NotificationWithSubscribersProperty.builder()
                    .notification(CfnBudget.NotificationProperty.builder()
                            .comparisonOperator("GREATER_THAN")
                            .notificationType("FORECASTED")
                            .threshold(100)
                            .build())
                    .subscribers(List.of(CfnBudget.SubscriberProperty.builder()
                            .subscriptionType("EMAIL")
                            .address(stage.alarmsTo())
                            .build()))
                    .build()));
        }
        budget.build();
    }
}
