package farm.gantry.aws;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awscdk.CfnParameter;
import software.amazon.awscdk.Fn;
import software.amazon.awscdk.services.apigatewayv2.HttpApi;
import software.amazon.awscdk.services.certificatemanager.Certificate;
import software.amazon.awscdk.services.cloudfront.AllowedMethods;
import software.amazon.awscdk.services.cloudfront.BehaviorOptions;
import software.amazon.awscdk.services.cloudfront.CachePolicy;
import software.amazon.awscdk.services.cloudfront.HttpVersion;
import software.amazon.awscdk.services.cloudfront.ICachePolicy;
import software.amazon.awscdk.services.cloudfront.IOrigin;
import software.amazon.awscdk.services.cloudfront.OriginProtocolPolicy;
import software.amazon.awscdk.services.cloudfront.OriginRequestPolicy;
import software.amazon.awscdk.services.cloudfront.OriginSslPolicy;
import software.amazon.awscdk.services.cloudfront.SecurityPolicyProtocol;
import software.amazon.awscdk.services.cloudfront.ViewerProtocolPolicy;
import software.amazon.awscdk.services.cloudfront.origins.HttpOrigin;
import software.amazon.awscdk.services.route53.ARecord;
import software.amazon.awscdk.services.route53.AaaaRecord;
import software.amazon.awscdk.services.route53.HostedZone;
import software.amazon.awscdk.services.route53.HostedZoneAttributes;
import software.amazon.awscdk.services.route53.IHostedZone;
import software.amazon.awscdk.services.route53.RecordTarget;
import software.amazon.awscdk.services.route53.targets.CloudFrontTarget;
import software.amazon.awscdk.services.secretsmanager.Secret;
import software.constructs.Construct;

/**
 * The CloudFront distribution in front of the API. It caches the console's files, whose names contain the version, and
 * forwards all other requests. It uses the farm's own domain if the stage has one.
 */
final class CloudFrontDistribution extends Construct {
    /** The console's files, in a folder named after the version, sixteen digits. The page itself is not cached. */
    private static final String CONSOLE_FILES = "/console/????????????????/*";

    private final String url;

    CloudFrontDistribution(Construct scope, StageSettings stage, HttpApi api, Optional<Secret> originSecret) {
        super(scope, "Front");
        HttpOrigin.Builder gateway = HttpOrigin.Builder.create(Fn.select(2, Fn.split("/", api.getApiEndpoint())))
                .protocolPolicy(OriginProtocolPolicy.HTTPS_ONLY)
                .originSslProtocols(List.of(OriginSslPolicy.TLS_V1_2));
        // A reference, which CloudFormation replaces by the secret.
        originSecret.ifPresent(secret -> gateway.customHeaders(
                Map.of("gantry-origin-secret", secret.getSecretValue().unsafeUnwrap())));
        IOrigin origin = gateway.build();
        software.amazon.awscdk.services.cloudfront.Distribution.Builder builder =
                software.amazon.awscdk.services.cloudfront.Distribution.Builder.create(this, "Distribution")
                        // CloudFormation reads the secret again only when the distribution changes.
                        .comment("Gantry, stage " + stage.name()
                                + (stage.hasOriginSecret() ? ", secrets since " + stage.secretsSince() : ""))
                        .httpVersion(HttpVersion.HTTP2_AND_3)
                        .defaultBehavior(behavior(origin, CachePolicy.CACHING_DISABLED))
                        .additionalBehaviors(Map.of(CONSOLE_FILES, behavior(origin, CachePolicy.CACHING_OPTIMIZED)));
        if (stage.hasFirewall()) {
            CfnParameter firewall = CfnParameter.Builder.create(this, "Firewall")
                    .description("ARN of the web ACL, an output of the stack " + FirewallStack.nameOf(stage))
                    .build();
            firewall.overrideLogicalId(FirewallStack.ACL);
            builder.webAclId(firewall.getValueAsString());
        }
        if (stage.domain().isEmpty()) {
            this.url = "https://" + builder.build().getDistributionDomainName();
        } else {
            builder.domainNames(List.of(stage.domain()))
                    .minimumProtocolVersion(SecurityPolicyProtocol.TLS_V1_2_2021)
                    .certificate(Certificate.fromCertificateArn(this, "Certificate", stage.domainCertificate()));
            addAlias(stage, builder.build());
            this.url = "https://" + stage.domain();
        }
    }

    private static BehaviorOptions behavior(IOrigin origin, ICachePolicy cachePolicy) {
        return BehaviorOptions.builder()
                .origin(origin)
                .viewerProtocolPolicy(ViewerProtocolPolicy.HTTPS_ONLY)
                .allowedMethods(AllowedMethods.ALLOW_ALL)
                .cachePolicy(cachePolicy)
                .originRequestPolicy(OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER)
                .compress(false) // the API has done so
                .build();
    }

    private void addAlias(StageSettings stage, software.amazon.awscdk.services.cloudfront.Distribution distribution) {
        IHostedZone zone = HostedZone.fromHostedZoneAttributes(
                this,
                "Zone",
                HostedZoneAttributes.builder()
                        .hostedZoneId(stage.domainZone())
                        .zoneName(stage.domain())
                        .build());
        RecordTarget target = RecordTarget.fromAlias(new CloudFrontTarget(distribution));
        ARecord.Builder.create(this, "Alias")
                .zone(zone)
                .recordName(stage.domain() + ".")
                .target(target)
                .build();
        AaaaRecord.Builder.create(this, "Alias6")
                .zone(zone)
                .recordName(stage.domain() + ".")
                .target(target)
                .build();
    }

    /** Returns the address of the console and the API. */
    String url() {
        return url;
    }
}
