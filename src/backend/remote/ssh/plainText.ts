/** What a host said, fit to be shown: in one line, without control characters, and not longer than a sentence can carry. */
export function plainText(text: string, limit = 200): string {
  // oxlint-disable-next-line no-control-regex -- [control characters and marks of direction are what is taken out]
  const plain = text.slice(0, limit * 4).replaceAll(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+/g, ' ');
  const short = plain.replaceAll(/ +/g, ' ').trim();
  return short.length > limit ? `${short.slice(0, limit)}…` : short;
}
