package farm.gantry.ingest.threemf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.mesh.Volume;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.Bounds;
import farm.gantry.ingest.sample.Solids;
import farm.gantry.ingest.sample.ThreemfFiles;
import farm.gantry.part.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreemfModelTest {
    private static final String LAYERS = """
            <basematerials id="5"><base name="PLA" displaycolor="#112233"/></basematerials>
            <colorgroup id="6"><color color="#112233"/></colorgroup>
            <texture2d id="4" path="/a.png" contenttype="image/png"/><texture2dgroup id="7" texid="4"/>
            """;

    @TempDir
    Path folder;

    private SortedMap<Integer, Scene> plates(ThreemfFiles files) throws IOException {
        return new ThreemfReader(Part.Type.THREE_MF).plates(files.write(folder));
    }

    private Scene plate(int plate, ThreemfFiles files) throws IOException {
        return Objects.requireNonNull(plates(files).get(plate));
    }

    private static String box() throws BadFileException {
        return Solids.object("1", Solids.box(0, 0, 0, 10, 20, 30));
    }

    private static String built(String resources, String build) {
        return "<resources>" + resources + "</resources><build>" + build + "</build>";
    }

    @Test
    void modelIsPlacedByItsBuildTransform() throws IOException {
        Scene scene = plate(
                0,
                ThreemfFiles.model(built(box(), "<item objectid=\"1\" transform=\"0 1 0 -1 0 0 0 0 1 100 50 0\"/>")));
        assertThat(scene.bounds()).isEqualTo(new Bounds(80, 50, 0, 100, 60, 30));
        assertThat(Solids.triangles(scene)).isEqualTo(12);
    }

    private static ThreemfFiles requiring(String prefixes, String namespace) throws BadFileException {
        return ThreemfFiles.model(built(box(), "<item objectid=\"1\"/>"))
                .replace(
                        "3D/3dmodel.model",
                        text -> text.replace(
                                "<model ",
                                "<model requiredextensions=\"" + prefixes + "\" xmlns:x=\"" + namespace + "\" "));
    }

    @ParameterizedTest
    @CsvSource({
        "http://schemas.3mf.io/3dmanufacturing/booleanoperations/2023/07,boolean operations",
        "http://schemas.3mf.io/3dmanufacturing/displacement/2023/10,displacement",
        "http://schemas.3mf.io/3dmanufacturing/implicit/2023/12,implicit",
        "http://schemas.microsoft.com/3dmanufacturing/securecontent/2019/04,secure content",
        "http://example.org/foam,'http://example.org/foam'"
    })
    void modelThatRequiresAnUnsupportedExtensionIsRejected(String namespace, String name) throws IOException {
        ThreemfFiles files = requiring("p x", namespace);
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(() -> plates(files))
                .withMessageStartingWith("3D/3dmodel.model requires the 3MF extension ")
                .withMessageContaining(name + (name.startsWith("http") ? "'," : ","))
                .withMessageContaining("which is not supported");
        ThreemfFiles undeclared = files.replace(
                "3D/3dmodel.model",
                text -> text.replace("<resources>", "<metadata name=\"y:a\" z:b=\"\"/><resources>"));
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(() -> plates(undeclared))
                .withMessageContaining("requires the 3MF extension");
    }

    @Test
    void modelThatRequiresASupportedExtensionIsRead() throws IOException {
        String slices = "http://schemas.microsoft.com/3dmanufacturing/slice/2015/07";
        assertThat(Solids.triangles(plate(0, requiring("x p", slices)))).isEqualTo(12);
        ThreemfFiles undeclared = requiring("q", slices);
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(() -> plates(undeclared))
                .withMessageContaining("under a prefix that it does not declare: q");
        assertThat(plates(ThreemfFiles.production()
                        .replace(
                                "3D/3dmodel.model",
                                text -> text.replace("<model ", "<model requiredextensions=\"q\" "))))
                .hasSize(2);
    }

    @Test
    void lengthsAreConvertedToMillimetres() throws IOException {
        ThreemfFiles inches =
                ThreemfFiles.model(built(box(), "<item objectid=\"1\" transform=\"1 0 0 0 1 0 0 0 1 1 0 0\"/>"));
        inches.replace("3D/3dmodel.model", text -> text.replace("millimeter", "inch"));
        Scene scene = plate(0, inches);
        assertThat(scene.bounds().minX()).isEqualTo(25.4);
        assertThat(scene.bounds().width()).isCloseTo(254, within(1e-9));
    }

    @Test
    void componentsInOtherModelFilesKeepTheirSettings() throws IOException {
        Scene scene = plate(1, ThreemfFiles.production());
        assertThat(scene.items()).hasSize(1);
        assertThat(scene.items().getFirst().volumes())
                .extracting(Volume::kind)
                .containsExactly(Volume.Kind.PART, Volume.Kind.MODIFIER);
        assertThat(scene.items().getFirst().volumes()).extracting(Volume::tool).containsExactly(1, Volume.AS_AROUND);
        assertThat(scene.bounds()).isEqualTo(new Bounds(100, 100, 0, 110, 120, 30));
    }

    @Test
    void plateCoordinatesAreRelativeToItsCorner() throws IOException {
        var plates = plates(ThreemfFiles.production());
        assertThat(plates).containsOnlyKeys(1, 2);
        Scene second = Objects.requireNonNull(plates.get(2));
        assertThat(second.bounds()).isEqualTo(new Bounds(20, 30, 0, 30, 50, 30));
    }

    @Test
    void prusaSlicerVolumesAreReadFromTriangleRanges() throws IOException {
        Scene scene = plate(
                0,
                ThreemfFiles.model(built(box(), "<item objectid=\"1\"/>"))
                        .with("Metadata/Slic3r_PE_model.config", """
                                <config><object id="1">
                                  <metadata type="object" key="extruder" value="3"/>
                                  <volume firstid="0" lastid="1"><metadata type="volume" key="extruder" value="0"/></volume>
                                  <volume firstid="2" lastid="11">
                                    <metadata type="volume" key="volume_type" value="NegativeVolume"/>
                                  </volume>
                                </object></config>
                                """));
        Volume bottom = scene.items().getFirst().volumes().getFirst();
        assertThat(bottom.bounds()).isEqualTo(new Bounds(0, 0, 0, 10, 20, 0));
        assertThat(bottom.mesh().points()).isEqualTo(4);
        assertThat(bottom.tool()).isEqualTo(2);
        assertThat(scene.items().getFirst().volumes().getLast().kind()).isEqualTo(Volume.Kind.NEGATIVE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            v1="0" v2="1" v3="8"  | refers to a point that does not exist
            v1="0" v2="1" v3="-1" | refers to a point that does not exist
            v1="0" v2="1"         | refers to a point that does not exist
            """)
    void triangleWithAMissingPointIsRejected(String triangle, String error) throws IOException {
        String broken = box().replaceFirst("<triangle [^>]*", "<triangle " + triangle + "/");
        assertRefused(built(broken.replace("//>", "/>"), "<item objectid=\"1\"/>"), error);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            <item objectid="7"/>                                              | builds an object that it does not hold
            <item objectid="1" transform="NaN 0 0 0 1 0 0 0 1 0 0 0"/>        | transform that is none
            <item objectid="1" transform="1 0 0"/>                            | transform that is none
            <item objectid="1" p:path="/3D/Objects/none.model"/>              | has no 3D/Objects/none.model
            <item/>                                                           | without naming it
            <item objectid="1" transform="0 0 0 0 0 0 0 0 0 0 0 0"/>          | flattens an object to nothing
            """)
    void invalidBuildItemIsRejected(String item, String error) throws IOException {
        assertRefused(built(box(), item), error);
    }

    @Test
    void componentsThatUnfoldToTooManyObjectsAreRejected() throws IOException {
        var resources = new StringBuilder(box());
        for (int id = 2; id < 10; id++) {
            resources.append("<object id=\"").append(id).append("\"><components>");
            resources.append(("<component objectid=\"" + (id - 1) + "\"/>").repeat(10));
            resources.append("</components></object>");
        }
        assertRefused(built(resources.toString(), "<item objectid=\"9\"/>"), "expand to too many objects");
    }

    @Test
    void objectThatContainsItselfIsRejected() throws IOException {
        assertRefused(
                built(
                        "<object id=\"1\"><components><component objectid=\"1\"/></components></object>",
                        "<item objectid=\"1\"/>"),
                "too deeply");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            <basematerials id="1"/>                                           | two resources with the id 1
            <object id="2" pindex="0"><mesh/></object>                        | no property group
            <object id="2" pid="9" pindex="0"><mesh/></object>                | property group that it does not hold: 9
            <multiproperties id="3"/>                                         | name no properties
            <multiproperties id="3" pids="9"/>                                | what are no properties: 9
            <compositematerials id="3" matid="1"/>                            | no base materials
            <texture2d id="3" contenttype="image/png"/>                       | without the path of its picture
            <texture2d id="3" path="/a.bmp" contenttype="image/bmp"/>         | neither PNG nor JPEG
            <texture2d path="/a.png" contenttype="image/png"/>                | a texture2d without an id
            <texture2dgroup id="3" texid="1"/>                                | of what is no texture
            <basematerials id="3"><base name="a" displaycolor="red"/></basematerials> | whose colour is none: red
            <colorgroup id="3"><color color="#GG0000"/></colorgroup>          | whose colour is none: #GG0000
            <object id="2" type="modell"><mesh/></object>                     | a type that 3MF does not know: modell
            <object id="2"><components><component objectid="9"/></components></object> | a component of an object that it
            """)
    void invalidResourceReferenceIsRejected(String resource, String error) throws IOException {
        assertRefused(built(box() + resource, ""), error);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            pids="5 5"                                        | more than one group of materials
            pids="5 6 6"                                      | more than one group of colours
            pids="6 5"                                        | whose material is not the first layer
            pids="5 6 7" blendmethods="mix multiply mix"      | as many blend methods as layers
            """)
    void invalidMultiPropertiesAreRejected(String layers, String error) throws IOException {
        assertRefused(built(LAYERS + "<multiproperties id=\"8\" " + layers + "/>" + box(), ""), error);
    }

    @Test
    void layeredMaterialColourAndTextureAreRead() throws IOException {
        assertRead(
                built(LAYERS + "<multiproperties id=\"8\" pids=\"5 6 7\" blendmethods=\"mix multiply\"/>" + box(), ""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            type="support"  | minlength="1"              | a beam lattice in an object of the type support
            type="other"    | minlength="1"              | a beam lattice in an object of the type other
            type="model"    | clippingmesh="9"           | whose clippingmesh is no object before its own: 9
            type="model"    | representationmesh="9"     | whose representationmesh is no object before its own: 9
            type="model"    | clippingmesh="2"           | whose clippingmesh is no object before its own: 2
            type="model"    | clippingmode="inside"      | is clipped by no mesh
            """)
    void invalidBeamLatticeIsRejected(String type, String lattice, String error) throws IOException {
        assertRefused(built(box() + latticed(type, lattice) + later(), ""), error);
    }

    @Test
    void beamLatticeClippedByAnEarlierObjectIsRead() throws IOException {
        assertRead(built(
                box() + latticed("type=\"solidsupport\"", "clippingmode=\"inside\" clippingmesh=\"1\""),
                "<item objectid=\"1\"/>"));
    }

    private static String latticed(String type, String lattice) {
        return "<object id=\"2\" " + type + "><mesh><b:beamlattice xmlns:b=\"http://schemas.microsoft.com/"
                + "3dmanufacturing/beamlattice/2017/02\" " + lattice + "/></mesh></object>";
    }

    private static String later() {
        return "<object id=\"9\"><mesh/></object>";
    }

    /** In the volumetric extension, a colour refers to a function and has no value. */
    @Test
    void colourOfAnotherExtensionIsIgnored() throws IOException {
        assertRead(built(
                box() + "<v:volumedata xmlns:v=\"http://schemas.3mf.io/volumetric/2022/01\" id=\"2\">"
                        + "<v:color functionid=\"3\" channel=\"c\"/></v:volumedata>",
                "<item objectid=\"1\"/>"));
    }

    private void assertRead(String content) throws IOException {
        Path file = ThreemfFiles.model(content).write(folder);
        assertThat(new ThreemfReader(Part.Type.THREE_MF).plates(file)).isNotEmpty();
    }

    @Test
    void buildItemOfTypeOtherIsRejected() throws IOException {
        assertRefused(
                built(box().replace("type=\"model\"", "type=\"other\""), "<item objectid=\"1\"/>"),
                "builds an object of the type other: 1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            <metadata>a</metadata>                                                        | metadata without a name
            <metadata name="Title">a</metadata><metadata name="Title">b</metadata>        | two metadata named Title
            """)
    void unnamedOrDuplicateMetadataIsRejected(String metadata, String error) throws IOException {
        assertRefused(metadata + built(box(), "<item objectid=\"1\"/>"), error);
    }

    @Test
    void archiveWithSeveralOrExternalModelsIsRejected() throws IOException {
        String second = "<Relationship Target=\"/3D/other.model\" Id=\"rel-9\""
                + " Type=\"http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel\"/></Relationships>";
        String content = built(box(), "<item objectid=\"1\"/>");
        assertRefused(
                ThreemfFiles.model(content).replace("_rels/.rels", text -> text.replace("</Relationships>", second)),
                "more than one model");
        assertRefused(
                ThreemfFiles.model(content)
                        .replace("_rels/.rels", text -> text.replace("rel-1\"", "rel-1\" TargetMode=\"External\"")),
                "outside of it");
    }

    private void assertRefused(ThreemfFiles files, String error) throws IOException {
        Path file = files.write(folder);
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(() -> new ThreemfReader(Part.Type.THREE_MF).plates(file))
                .withMessageContaining(error);
    }

    private void assertRefused(String content, String error) throws IOException {
        assertRefused(ThreemfFiles.model(content), error);
    }

    @Test
    void tooManyBuildItemsAreRejected() throws IOException {
        String item = "<item objectid=\"1\"/>";
        assertThat(plate(0, ThreemfFiles.model(built("<object id=\"1\"/>", item.repeat(50_000))))
                        .items())
                .hasSize(50_000);
        assertRefused(built("<object id=\"1\"/>", item.repeat(50_001)), "places objects more than 50000 times");
    }

    @Test
    void manyPlateInstancesAreReadQuicklyAndTooManyAreRejected() throws IOException {
        String instance = "<model_instance><metadata key=\"object_id\" value=\"1\"/>"
                + "<metadata key=\"instance_id\" value=\"%d\"/></model_instance>";
        ThreemfFiles project = ThreemfFiles.model(built("<object id=\"1\"/>", "<item objectid=\"1\"/>".repeat(50_000)))
                .with(
                        "Metadata/model_settings.config",
                        "<config><plate><metadata key=\"plater_id\" value=\"1\"/>"
                                + IntStream.range(0, 50_000)
                                        .mapToObj(instance::formatted)
                                        .collect(Collectors.joining())
                                + "</plate></config>");
        Path file = project.write(folder);
        assertTimeoutPreemptively(Duration.ofMinutes(5), () -> new ThreemfReader(Part.Type.THREE_MF).plates(file));
        Path more = project.replace(
                        "Metadata/model_settings.config",
                        settings -> settings.replace("</plate>", instance.formatted(0) + "</plate>"))
                .write(folder);
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(() -> new ThreemfReader(Part.Type.THREE_MF).read(more))
                .withMessageContaining("more than 50000 objects on its plates");
    }

    /** Twelve objects of ten components each, and the last one is empty. */
    @Test
    void emptyComponentsCountTowardsTheUnfoldingLimit() {
        StringBuilder objects = new StringBuilder("<object id=\"1\"/>");
        for (int id = 2; id <= 13; id++) {
            objects.append("<object id=\"%d\"><components>".formatted(id))
                    .append("<component objectid=\"%d\"/>".formatted(id - 1).repeat(10))
                    .append("</components></object>");
        }
        assertTimeoutPreemptively(
                Duration.ofMinutes(5),
                () -> assertRefused(built(objects.toString(), "<item objectid=\"13\"/>"), "expand to too many"));
    }
}
