/** A login form is near the top of its page, so longer pages are not decoded to their end. */
const MAX_BYTES = 1_000_000;

/** Returns the part of a page that is searched for a login form and links. */
export function textWithForm(body: Buffer): string {
  return body.toString('utf8', 0, MAX_BYTES);
}
