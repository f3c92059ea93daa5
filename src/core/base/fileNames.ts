/** What files of a run or a series are called, without the ending. */
export function exportName({ name, id }: { readonly name: string; readonly id: string }): string {
  return `holdfast-${fileSafe(name)}-${id}`;
}

/** Letters and digits of any script joined by dashes: a name that every file system takes. */
export function fileSafe(name: string): string {
  const safe = name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  return safe === '' ? 'run' : safe;
}
