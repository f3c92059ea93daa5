/** A name as a part of an id, and of a header. */
export function slug(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9.]+/g, '-');
}
