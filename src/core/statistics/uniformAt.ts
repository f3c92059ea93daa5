/**
 * A number in (0, 1) for each index of a seeded sequence, without a state that would have to be carried along: whoever asks for
 * the same index gets the same number, in whatever thread. Two rounds of a 32-bit mixing function (the finalizer of
 * MurmurHash3, Austin Appleby, public domain) give the 53 bits that a number can hold.
 */
export function uniformAt(seed: number, index: number): number {
  const low = index >>> 0;
  const high = Math.floor(index / 4_294_967_296) >>> 0;
  const first = mix(mix(mix(seed ^ 0x9e37_79b9) ^ high) ^ low);
  return uniformOf(first, mix(first ^ 0x85eb_ca6b ^ low));
}

/** A number in (0, 1) of two words of 32 bits. */
export function uniformOf(first: number, second: number): number {
  // 26 and 27 bits; the half keeps the result away from 0, of which there is no logarithm.
  return ((first >>> 6) * 134_217_728 + (second >>> 5) + 0.5) / 9_007_199_254_740_992;
}

/** Words that differ in one bit become words that differ in half of them. */
export function mix(word: number): number {
  let mixed = word | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return mixed ^ (mixed >>> 16);
}
