package farm.gantry.ingest.mesh;

/** What a triangle can be painted with. Slicers of one family write the same codes, each under names of its own. */
public enum Brush {
    /** Which filament it is printed with. */
    color("paint_color", "mmu_segmentation"),
    /** Whether it is to be held up, or left alone. */
    supports("paint_supports", "custom_supports"),
    /** Whether layers are to begin here, or elsewhere. */
    seam("paint_seam", "custom_seam");

    private final String bambu;
    private final String prusa;

    Brush(String bambu, String prusa) {
        this.bambu = bambu;
        this.prusa = prusa;
    }

    /** The name of its attribute of a triangle, behind its namespace's prefix. */
    public String prusa() {
        return prusa;
    }

    public boolean isNamed(String attribute) {
        return attribute.equals(bambu) || attribute.equals(prusa);
    }
}
