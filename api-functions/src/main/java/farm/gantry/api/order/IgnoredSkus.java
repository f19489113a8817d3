package farm.gantry.api.order;

import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.job.lifecycle.OrderRows;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.util.List;

/** The texts of items that are sold and not printed, such as gift cards. */
@Controller("/v1/orders/ignored-skus")
@Blocking
final class IgnoredSkus {
    private final OrderRows rows;
    private final Database database;
    private final RecordReader reader;

    IgnoredSkus(OrderRows rows, Database database, RecordReader reader) {
        this.rows = rows;
        this.database = database;
        this.reader = reader;
    }

    /** Texts that shops call items by, compared to the letter. */
    @Serdeable
    record SkuTexts(@Size(max = 10_000) List<@NotBlank @Size(max = 500) String> skus) {}

    /** Those of the texts that are ignored. */
    @Serdeable
    record IgnoredTexts(List<String> ignored) {}

    /** Returns the ignored SKU texts. Items of orders that name one of them are not printed. */
    @Get
    @RequiresPermission(Permission.ORDER_VIEW)
    SkuTexts list(Caller caller) {
        return database.in(caller, tx -> new SkuTexts(rows.listIgnoredSkus(tx)));
    }

    /** Replaces the ignored SKU texts. They apply to items of orders that arrive afterwards. */
    @Patch
    @RequiresPermission(Permission.ORDER_EDIT)
    SkuTexts patch(Caller caller, @Body @BodyType(SkuTexts.class) JsonNode body) {
        List<String> skus = reader.read(SkuTexts.class, body).skus();
        return database.in(caller, tx -> {
            rows.addIgnoredSkus(tx, skus);
            return new SkuTexts(rows.listIgnoredSkus(tx));
        });
    }

    /** Returns which of the given SKU texts are ignored. Nothing is changed. */
    @Post("/check")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.ORDER_VIEW)
    IgnoredTexts check(Caller caller, @Body @BodyType(SkuTexts.class) JsonNode body) {
        List<String> skus = reader.read(SkuTexts.class, body).skus();
        return database.in(
                caller,
                tx -> new IgnoredTexts(rows.findIgnored(tx, skus).stream().sorted().toList()));
    }
}
