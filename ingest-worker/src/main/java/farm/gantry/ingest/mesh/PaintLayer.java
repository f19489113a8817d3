package farm.gantry.ingest.mesh;

/** Properties painted on triangles. Related slicers write the same codes under different attribute names. */
public enum PaintLayer {
    /** The filament. */
    COLOR("paint_color", "mmu_segmentation"),
    /** Enforced or blocked supports. */
    SUPPORTS("paint_supports", "custom_supports"),
    /** Enforced or blocked seams. */
    SEAM("paint_seam", "custom_seam");

    private final String bambu;
    private final String prusa;

    PaintLayer(String bambu, String prusa) {
        this.bambu = bambu;
        this.prusa = prusa;
    }

    /** The name of its attribute of a triangle in Bambu's and Orca's projects. */
    public String bambu() {
        return bambu;
    }

    /** The name of the attribute in Prusa's files, after its namespace prefix. */
    public String prusa() {
        return prusa;
    }

    public boolean isNamed(String attribute) {
        return attribute.equals(bambu) || attribute.equals(prusa);
    }
}
