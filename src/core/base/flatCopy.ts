/**
 * The same text in memory of its own. Engines make a slice of a text point into the whole, so 40 characters of a page keep all of it alive for as long as they are kept;
 * whatever is kept of an answer when its request is over is copied. Reading a text from JSON always makes a new one.
 */
export function flatCopy(text: string): string {
  const copy: unknown = JSON.parse(JSON.stringify(text));
  return typeof copy === 'string' ? copy : text;
}
