package dev.carillon.console.browser;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;

/** Makes a PNG several times smaller: with 256 colours. */
final class SmallPicture {
  private static final int COLORS = 256;
  private static final long ALIKE = 40;

  private SmallPicture() {}

  static void of(Path file) {
    try {
      ImageIO.write(indexed(ImageIO.read(file.toFile())), "png", file.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static BufferedImage indexed(BufferedImage picture) {
    int[] pixels =
        picture.getRGB(0, 0, picture.getWidth(), picture.getHeight(), null, 0, picture.getWidth());
    var often = new HashMap<Integer, Integer>();
    for (int pixel : pixels) {
      often.merge(pixel, 1, Integer::sum);
    }
    List<Integer> palette = palette(often);
    var nearest = new HashMap<Integer, Integer>();
    often.keySet().forEach(color -> nearest.put(color, nearest(color, palette)));
    var small =
        new BufferedImage(
            picture.getWidth(),
            picture.getHeight(),
            BufferedImage.TYPE_BYTE_INDEXED,
            new IndexColorModel(
                8,
                palette.size(),
                palette.stream().mapToInt(Integer::intValue).toArray(),
                0,
                false,
                -1,
                0));
    for (int i = 0; i < pixels.length; i++) {
      small
          .getRaster()
          .setSample(
              i % picture.getWidth(),
              i / picture.getWidth(),
              0,
              nearest.getOrDefault(pixels[i], 0));
    }
    return small;
  }

  /* What there is most of, but nothing that is nearly the same as another: so a small dot keeps its colour. */
  private static List<Integer> palette(Map<Integer, Integer> often) {
    var palette = new ArrayList<Integer>();
    often.entrySet().stream()
        .sorted(Map.Entry.<Integer, Integer>comparingByValue().reversed())
        .map(Map.Entry::getKey)
        .filter(color -> palette.size() < COLORS)
        .filter(color -> palette.stream().allMatch(other -> distance(color, other) > ALIKE))
        .forEach(palette::add);
    return palette;
  }

  private static long distance(int color, int other) {
    long away = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
      int difference = ((color >> shift) & 0xFF) - ((other >> shift) & 0xFF);
      away += (long) difference * difference;
    }
    return away;
  }

  private static int nearest(int color, List<Integer> palette) {
    int best = 0;
    long least = Long.MAX_VALUE;
    for (int i = 0; i < palette.size() && least > 0; i++) {
      long away = distance(color, palette.get(i));
      if (away < least) {
        least = away;
        best = i;
      }
    }
    return best;
  }
}
