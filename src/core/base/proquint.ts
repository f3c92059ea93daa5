const CONSONANTS = 'bdfghjklmnprstvz';
const VOWELS = 'aiou';

/**
 * Writes bytes as words that can be read aloud, one for each two bytes: “lusab-babad”. A word is consonant, vowel, consonant, vowel,
 * consonant, with 4 bits for each consonant and 2 for each vowel. Source: Wilkerson, “A Proposal for Proquints”, arXiv:0901.4016. An odd
 * last byte is left out.
 */
export function toProquints(bytes: Uint8Array): string {
  const words: string[] = [];
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    const value = (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
    const consonant = (shift: number): string => CONSONANTS.charAt((value >> shift) & 15);
    const vowel = (shift: number): string => VOWELS.charAt((value >> shift) & 3);
    words.push(`${consonant(12)}${vowel(10)}${consonant(6)}${vowel(4)}${consonant(0)}`);
  }
  return words.join('-');
}
