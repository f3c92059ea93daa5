/** Text that is meant as it stands, written so that a plan reads no placeholder in it. */
export function literal(text: string): string {
  return text.replaceAll('{{', '\\{{');
}

/** What {@link literal} wrote, as it is sent. */
export function unliteral(text: string): string {
  return text.replaceAll('\\{{', '{{');
}

/** A name for a value of a plan, out of any text. */
export function valueName(text: string, otherwise = 'value'): string {
  const cleaned = text
    .slice(0, 200)
    .replaceAll(/[^\w-]+/g, '_')
    .replaceAll(/^[^A-Za-z_]+|_+$/g, '')
    .slice(0, 40);
  return cleaned === '' ? otherwise : cleaned;
}
