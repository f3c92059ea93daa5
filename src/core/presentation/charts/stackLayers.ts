/** Lower and upper edge of a layer in one span; null where the layer is not known. */
export type Edges = readonly [number, number] | null;

/** Layers standing on each other, in their order. An unknown value is a gap of its layer and lifts nothing. */
export function stackLayers(layers: readonly (readonly (number | null)[])[]): Edges[][] {
  const length = layers.reduce((longest, layer) => Math.max(longest, layer.length), 0);
  const heights = Array.from({ length }, () => 0);
  return layers.map((layer) =>
    heights.map((height, index): Edges => {
      const value = layer[index] ?? null;
      if (value === null) return null;
      heights[index] = height + value;
      return [height, height + value];
    }),
  );
}
