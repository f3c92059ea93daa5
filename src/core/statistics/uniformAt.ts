/**
 * Returns the number in (0, 1) at an index of a seeded sequence. It needs no state, so every thread gets the same number for the same
 * index. Rounds of a 32-bit mixing function (finalizer of MurmurHash3, Austin Appleby, public domain) give 53 bits.
 */
export function uniformAt(seed: number, index: number): number {
  const low = index >>> 0;
  const high = Math.floor(index / 4_294_967_296) >>> 0;
  const first = mix(mix(mix(seed ^ 0x9e37_79b9) ^ high) ^ low);
  return drawUniform(first, mix(first ^ 0x85eb_ca6b ^ low));
}

/** Combines two 32-bit words into a number in (0, 1). */
export function drawUniform(first: number, second: number): number {
  // The words contribute 26 and 27 bits. Adding a half keeps the result above 0, so that it has a logarithm.
  return ((first >>> 6) * 134_217_728 + (second >>> 5) + 0.5) / 9_007_199_254_740_992;
}

/** Mixes the bits of a word. Words that differ in one bit then differ in half of their bits. */
export function mix(word: number): number {
  let mixed = word | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return mixed ^ (mixed >>> 16);
}
