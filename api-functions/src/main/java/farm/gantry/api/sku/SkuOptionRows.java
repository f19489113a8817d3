package farm.gantry.api.sku;

import farm.gantry.Id;
import farm.gantry.api.database.Tx;
import farm.gantry.sku.SkuParser.Suffix;
import farm.gantry.sku.SkuParser.SuffixedSku;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Statements over the options of many SKUs. */
@Singleton
public final class SkuOptionRows {

    private static final int NAMED = 10;

    /** Linked parts of the SKUs that are bound to a property that is not there; the first of them. */
    public List<String> partsWithMissingProperty(Tx tx, Collection<String> skuIds) {
        return tx.texts("""
                select l.id from farm."linkedPart" l
                where l."storeId" = ? and l."skuId" = any(?) and exists (
                  select from (select value from json_each_text(l."parameterBindings")
                               union all select l."plateQuantitiesBinding") bound(property)
                  where bound.property ~ ? and not exists (
                    select from farm."skuOptionProperty" p where p."storeId" = l."storeId" and p.id = bound.property))
                limit ?""", tx.store().value(), skuIds.toArray(String[]::new), Id.PATTERN, NAMED);
    }

    /** Text → id of the SKU that has exactly that text. */
    public Map<String, String> findExact(Tx tx, Collection<String> texts) {
        return tx.map(
                "select sku, id from farm.sku where \"storeId\"=? and sku=any(?)",
                rows -> rows.getString(2),
                tx.store().value(),
                texts.toArray(String[]::new));
    }

    /** The SKUs that any of the texts begins with, with the suffixes of the values they are sold with. */
    public Collection<SuffixedSku> findByPrefix(Tx tx, Collection<String> texts) {
        return tx.query(
                """
                select s.id, s.sku, sold."optionId", sold."optionValueId", sold.suffix
                from (select distinct left(w.text, n) as sku
                      from unnest(?::text[]) w(text) cross join lateral generate_series(1, least(length(w.text), 500)) n) begun
                join farm.sku s on s."storeId" = ? and s.sku = begun.sku
                left join lateral (
                  select b."optionId", v.id as "optionValueId", suffix, row_number() over (
                           order by b."order", b."createdAt", b.id, v."order", v."createdAt", v.id) as place
                  from farm."skuOptionBinding" b
                  join farm."skuOption" o on o."storeId" = b."storeId" and o.id = b."optionId" and not o."isPersonalization"
                  join farm."skuOptionValue" v on v."storeId" = b."storeId" and v."optionId" = b."optionId"
                  cross join lateral json_array_elements_text(v."skuSuffixes") suffix
                  where b."storeId" = s."storeId" and b."skuId" = s.id and (b."filterMode" is null or
                    (b."filterMode" = 'inclusion') = exists (
                      select from farm."skuOptionValueFilter" f
                      where f."storeId" = b."storeId" and f."bindingId" = b.id and f."optionValueId" = v.id))) sold on true
                order by s.id, sold.place""",
                rows -> {
                    Map<String, SuffixedSku> skus = new LinkedHashMap<>();
                    while (rows.next()) {
                        String id = rows.getString(1);
                        String sku = rows.getString(2);
                        List<Suffix> suffixes = skus.computeIfAbsent(
                                        id, _ -> new SuffixedSku(id, sku, new ArrayList<>()))
                                .suffixes();
                        if (rows.getString(5) != null) {
                            suffixes.add(new Suffix(rows.getString(3), rows.getString(4), rows.getString(5)));
                        }
                    }
                    return skus.values();
                },
                texts.stream().distinct().toArray(String[]::new),
                tx.store().value());
    }
}
