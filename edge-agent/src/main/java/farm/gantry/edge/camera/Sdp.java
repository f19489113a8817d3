package farm.gantry.edge.camera;

import farm.gantry.edge.refusal.Refusal;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a camera says of its film before it shows it: where the pictures are asked for, and how they are decoded. */
record Sdp(String control, List<byte[]> parameters) {
    private static final Pattern VIDEO = Pattern.compile("(?m)^m=video [^\\n]*\\n((?:(?!m=)[^\\n]*\\n?)*)");
    private static final Pattern CODING = Pattern.compile("(?mi)^a=rtpmap:\\d+ H264/");
    private static final Pattern CONTROL = Pattern.compile("(?m)^a=control:(\\S+)");
    private static final Pattern PARAMETERS = Pattern.compile("sprop-parameter-sets=([A-Za-z0-9+/=,]+)");

    static Sdp of(String told) throws Refusal {
        Matcher video = VIDEO.matcher(told);
        if (!video.find() || !CODING.matcher(video.group(1)).find()) {
            throw new Refusal("the printer's camera films in a manner that the agent does not know");
        }
        return new Sdp(
                first(CONTROL, video.group(1)),
                Arrays.stream(first(PARAMETERS, video.group(1)).split(","))
                        .filter(set -> !set.isEmpty())
                        .map(Sdp::decoded)
                        .toList());
    }

    private static String first(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        return found.find() ? found.group(1) : "";
    }

    /** A camera tells them again in its film, so that one that is broken here need not be known. */
    private static byte[] decoded(String set) {
        try {
            return Base64.getDecoder().decode(set);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    /** The address of the film's pictures, below the one of all of it. */
    String address(String all) {
        if (control.isEmpty() || control.equals("*")) {
            return all;
        }
        return control.contains("://") ? control : all + (all.endsWith("/") ? "" : "/") + control;
    }
}
