package farm.gantry.aws;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;

/**
 * On-demand list prices in US dollars, without free tiers and taxes. They are of 2025 and 2026, from public tables that
 * quote AWS's price lists, and were not compared with the lists themselves. A cost with a price that is not known for a
 * region is left out of the sum.
 */
enum Price {
    LAMBDA_REQUESTS("/M", 0.20, 0.20, 0.20),
    LAMBDA_ARM("/M GB s", 13.3334, 13.3334, 13.3334),
    LAMBDA_X86("/M GB s", 16.6667, 16.6667, 16.6667),
    HTTP_API("/M", 1.00, 1.11, 1.20),
    SQS("/M", 0.40, 0.40, 0.40),
    DYNAMODB_READS("/M", 0.125, 0.1415, 0.1525),
    DYNAMODB_WRITES("/M", 0.625, 0.705, 0.7625),
    S3_WRITES("/M", 5, 5, 5.40),
    S3_READS("/M", 0.40, 0.40, 0.43),
    S3_STORAGE("/GB", 0.023, 0.023, 0.0245),
    ACU("/h", 0.12, 0.14, 0.14),
    DATABASE_STORAGE("/GB", 0.10, 0.11, 0.119),
    DATABASE_IO("/M", 0.20, Price.UNKNOWN, 0.22),
    NAT_GATEWAY("/h", 0.045, 0.048, 0.052),
    NAT_TRAFFIC("/GB", 0.045, 0.048, 0.052),
    IPV4_ADDRESS("/h", 0.005, 0.005, 0.005),
    LOGS("/GB", 0.50, 0.57, 0.63),
    LOG_STORAGE("/GB", 0.03, 0.03, 0.0324),
    ALARM_METRIC("", 0.10, 0.10, 0.10),
    METRIC("", 0.30, 0.30, 0.30),
    DASHBOARD("", 3, 3, 3),
    KMS_KEY("", 1, 1, 1),
    SECRET("", 0.40, 0.40, 0.40),
    WEB_ACL("", 5, 5, 5),
    WEB_ACL_RULE("", 1, 1, 1),
    WEB_ACL_REQUESTS("/M", 0.60, 0.60, 0.60),
    TRAFFIC_OUT("/GB", 0.09, 0.09, 0.09),
    /** By the place of the caller, for which the continent of the region is assumed. */
    CLOUDFRONT_REQUESTS("/M", 1.00, 1.20, 1.20),
    /** By the place of the caller, for which the continent of the region is assumed. */
    CLOUDFRONT_TRAFFIC("/GB", 0.085, 0.085, 0.085),
    IOT_MESSAGES("/M", 1.00, Price.UNKNOWN, Price.UNKNOWN),
    IOT_RULES("/M", 0.15, Price.UNKNOWN, Price.UNKNOWN),
    IOT_MINUTES("/M", 0.08, Price.UNKNOWN, Price.UNKNOWN);

    private static final double UNKNOWN = Double.NaN;
    static final List<String> REGIONS = List.of("us-east-1", "eu-west-1", "eu-central-1");

    private final String unit;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<Double> dollars;

    Price(String unit, double virginia, double ireland, double frankfurt) {
        this.unit = unit;
        this.dollars = List.of(virginia, ireland, frankfurt);
    }

    /** Returns the dollars in a region, NaN if they are not known. */
    double in(String region) {
        int column = REGIONS.indexOf(region);
        return column < 0 ? UNKNOWN : dollars.get(column);
    }

    /** Returns the price in a region with its unit, such as {@code $0.09/GB}. */
    String text(String region) {
        double price = in(region);
        String number = Double.isNaN(price)
                ? "?"
                : new BigDecimal(String.format(Locale.ROOT, "%.4f", price))
                        .stripTrailingZeros()
                        .toPlainString();
        return "$" + (number.matches("\\d+\\.\\d") ? number + "0" : number) + unit;
    }
}
