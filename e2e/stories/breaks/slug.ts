/** Converts a name to a part of an id or a header. */
export function slug(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9.]+/g, '-');
}
