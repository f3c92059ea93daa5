/** A login form is near the top of its page: longer pages are not decoded to their end for it. */
const MAX_BYTES = 1_000_000;

/** The part of a page in which its login form and its links are looked for. */
export function textWithForm(body: Buffer): string {
  return body.toString('utf8', 0, MAX_BYTES);
}
