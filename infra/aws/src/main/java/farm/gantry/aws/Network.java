package farm.gantry.aws;

import java.util.List;
import java.util.Map;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.services.ec2.CfnEgressOnlyInternetGateway;
import software.amazon.awscdk.services.ec2.CfnRoute;
import software.amazon.awscdk.services.ec2.FlowLogDestination;
import software.amazon.awscdk.services.ec2.FlowLogMaxAggregationInterval;
import software.amazon.awscdk.services.ec2.FlowLogOptions;
import software.amazon.awscdk.services.ec2.FlowLogTrafficType;
import software.amazon.awscdk.services.ec2.GatewayVpcEndpointAwsService;
import software.amazon.awscdk.services.ec2.GatewayVpcEndpointOptions;
import software.amazon.awscdk.services.ec2.ISubnet;
import software.amazon.awscdk.services.ec2.IpProtocol;
import software.amazon.awscdk.services.ec2.Peer;
import software.amazon.awscdk.services.ec2.Port;
import software.amazon.awscdk.services.ec2.SecurityGroup;
import software.amazon.awscdk.services.ec2.Subnet;
import software.amazon.awscdk.services.ec2.SubnetConfiguration;
import software.amazon.awscdk.services.ec2.SubnetSelection;
import software.amazon.awscdk.services.ec2.SubnetType;
import software.amazon.awscdk.services.ec2.Vpc;
import software.amazon.awscdk.services.logs.LogGroup;
import software.constructs.Construct;

/**
 * The VPC, with subnets in two availability zones that accept no inbound connections. Files and tables are reached
 * through the gateway endpoints of S3 and DynamoDB, which are free.
 */
final class Network extends Construct {
    /** The number of availability zones. */
    static final int ZONES = 2;

    private final Vpc vpc;
    private final SecurityGroup functions;
    private final SecurityGroup database;
    private final boolean hasNat;

    Network(Construct scope, StageSettings stage) {
        super(scope, "Network");
        this.hasNat = stage.hasNat();
        this.vpc = hasNat ? createVpcWithNat(stage.natGateways()) : createVpcWithIpv6();
        addFlowLog(stage);
        this.functions = createSecurityGroup("Functions", "functions of the farm", false);
        functions.addEgressRule(Peer.anyIpv4(), Port.allTcp(), "AWS, and receivers of webhooks at any port");
        functions.addEgressRule(Peer.anyIpv6(), Port.allTcp(), "the same");
        this.database = createSecurityGroup("Database", "database of the farm", false);
        database.addIngressRule(functions, Port.tcp(5432), "functions");
    }

    /** Logs who exchanged how much with whom, and what was rejected; no content. */
    private void addFlowLog(StageSettings stage) {
        LogGroup log = LogGroup.Builder.create(this, "FlowLog")
                .logGroupName("/gantry/" + stage.name() + "/network")
                .retention(LambdaFunctions.toRetention(stage.logDays()))
                .removalPolicy(RemovalPolicy.DESTROY)
                .build();
        vpc.addFlowLog(
                "Flows",
                FlowLogOptions.builder()
                        .destination(FlowLogDestination.toCloudWatchLogs(log))
                        .trafficType(FlowLogTrafficType.ALL)
                        .maxAggregationInterval(FlowLogMaxAggregationInterval.TEN_MINUTES)
                        .build());
    }

    private SecurityGroup createSecurityGroup(String id, String description, boolean outbound) {
        return SecurityGroup.Builder.create(this, id)
                .vpc(vpc)
                .description(description)
                .allowAllOutbound(outbound)
                .build();
    }

    private Vpc createVpcWithNat(int gateways) {
        return Vpc.Builder.create(this, "Vpc")
                .maxAzs(ZONES)
                .natGateways(gateways)
                .subnetConfiguration(List.of(
                        subnets("public", SubnetType.PUBLIC),
                        subnets("functions", SubnetType.PRIVATE_WITH_EGRESS),
                        subnets("database", SubnetType.PRIVATE_ISOLATED)))
                .gatewayEndpoints(gateways())
                .restrictDefaultSecurityGroup(false)
                .build();
    }

    /** Creates a VPC with an egress-only gateway, which allows outbound connections only and is free. */
    private Vpc createVpcWithIpv6() {
        Vpc made = Vpc.Builder.create(this, "Vpc")
                .maxAzs(ZONES)
                .natGateways(0)
                .ipProtocol(IpProtocol.DUAL_STACK)
                .subnetConfiguration(List.of(
                        subnets("functions", SubnetType.PRIVATE_ISOLATED),
                        subnets("database", SubnetType.PRIVATE_ISOLATED)))
                .gatewayEndpoints(gateways())
                .restrictDefaultSecurityGroup(false)
                .build();
        CfnEgressOnlyInternetGateway out = CfnEgressOnlyInternetGateway.Builder.create(this, "Out")
                .vpcId(made.getVpcId())
                .build();
        int number = 0;
        for (ISubnet subnet : made.selectSubnets(subnetsNamed("functions")).getSubnets()) {
            CfnRoute.Builder.create(this, "Out" + number++)
                    .routeTableId(((Subnet) subnet).getRouteTable().getRouteTableId())
                    .destinationIpv6CidrBlock("::/0")
                    .egressOnlyInternetGatewayId(out.getAttrId())
                    .build();
        }
        return made;
    }

    private static Map<String, GatewayVpcEndpointOptions> gateways() {
        return Map.of(
                "Files",
                GatewayVpcEndpointOptions.builder()
                        .service(GatewayVpcEndpointAwsService.S3)
                        .build(),
                "Tables",
                GatewayVpcEndpointOptions.builder()
                        .service(GatewayVpcEndpointAwsService.DYNAMODB)
                        .build());
    }

    private static SubnetConfiguration subnets(String name, SubnetType type) {
        return SubnetConfiguration.builder().name(name).subnetType(type).build();
    }

    private static SubnetSelection subnetsNamed(String name) {
        return SubnetSelection.builder().subnetGroupName(name).build();
    }

    Vpc vpc() {
        return vpc;
    }

    SecurityGroup functions() {
        return functions;
    }

    SecurityGroup database() {
        return database;
    }

    SubnetSelection functionSubnets() {
        return subnetsNamed("functions");
    }

    SubnetSelection databaseSubnets() {
        return subnetsNamed("database");
    }

    boolean hasNat() {
        return hasNat;
    }
}
