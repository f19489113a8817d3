package farm.gantry.aws;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.aws.SynthesizedStages.Finding;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Compares the findings of cdk-nag's rules for AWS Solutions with those that are accepted. */
final class AwsSolutionsTest {
    private static final SynthesizedStages STAGES = SynthesizedStages.all();

    /** A finding that is accepted, and why. {@code path} and {@code text} are regular expressions. */
    private record Accepted(String rule, String path, String text, String reason) {
        boolean includes(Finding finding) {
            return finding.rule().equals("AwsSolutions-" + rule)
                    && finding.path().matches(path)
                    && finding.text().contains(text);
        }
    }

    private static final List<Accepted> ACCEPTED = List.of(
            new Accepted(
                    "APIG4",
                    "Api/ANY--.*/Resource",
                    "",
                    "the API checks keys and sessions itself, and some routes are public by design"),
            new Accepted(
                    "CFR1", "Front/Distribution/Resource", "", "a farm's customers and people may be in any country"),
            new Accepted(
                    "CFR2",
                    "Front/Distribution/Resource",
                    "",
                    "requests are limited by caller in the API and in all by the gateway; a firewall is a setting, because it costs $7 a month and more"),
            new Accepted(
                    "CFR3",
                    "Front/Distribution/Resource",
                    "",
                    "the gateway logs all requests except those for the console's cached files"),
            new Accepted(
                    "CFR4",
                    "Front/Distribution/Resource",
                    "",
                    "the certificate of CloudFront allows no other policy; a stage with a domain requires TLS 1.2"),
            new Accepted(
                    "DDB3",
                    "Data/(RateLimits|Marks)/Resource",
                    "",
                    "its counters are valid for a minute, and functions write lost marks again"),
            new Accepted(
                    "IAM5",
                    "Functions/.*-role/DefaultPolicy/Resource",
                    "[Resource::*]",
                    "only the actions for network interfaces, for which EC2 offers no narrower resources"),
            new Accepted(
                    "IAM5",
                    "Functions/.*-role/DefaultPolicy/Resource",
                    ".Arn>/",
                    "the objects of the stage's own bucket, whose names are not known before"),
            new Accepted(
                    "IAM5",
                    "Functions/link-mqtt-role/DefaultPolicy/Resource",
                    ":topic/gantry/link/*/down",
                    "one topic for each agent"),
            new Accepted(
                    "RDS6",
                    "Data/Database/Resource",
                    "",
                    "the functions' password is generated, is in Secrets Manager alone, and is sent only to the database's certificate"),
            new Accepted(
                    "RDS10", "Data/Database/Resource", "", "a stage with keeps-data=false is deleted with its data"),
            new Accepted(
                    "S1",
                    "Data/Files/Resource",
                    "",
                    "files are read and written by URLs that the API signs for an hour, and the gateway logs those requests"),
            new Accepted(
                    "SMG4",
                    "Data/(Pepper|Password|OriginSecret|Database/Secret)/Resource",
                    "",
                    "functions read secrets at their start; the operator replaces one with a deployment"));

    @BeforeEach
    void needNode() {
        STAGES.assumeSynthesized();
    }

    @Test
    void everyFindingIsAcceptedForAReason() {
        Set<Accepted> used = new HashSet<>();
        for (String stage : SynthesizedStages.NAMES) {
            for (Finding finding : STAGES.findings(stage)) {
                List<Accepted> reasons =
                        ACCEPTED.stream().filter(each -> each.includes(finding)).toList();
                assertThat(reasons).as(stage + " " + finding).isNotEmpty();
                used.addAll(reasons);
            }
        }
        assertThat(used).as("accepted findings that a stage has").containsExactlyInAnyOrderElementsOf(ACCEPTED);
    }

    @Test
    void stageWithADomainRequiresTls12AndAKeptDatabaseCannotBeDeleted() {
        assertThat(STAGES.findings(SynthesizedStages.UNDER_DOMAIN))
                .extracting(Finding::rule)
                .isNotEmpty()
                .doesNotContain("AwsSolutions-CFR4", "AwsSolutions-RDS10");
    }
}
