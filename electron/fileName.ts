const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;

/** A file name from a suggestion of the page: never a path, never hidden, valid on every system. */
export function safeFileName(suggested: string): string {
  const base = suggested.split(/[\\/]/).at(-1) ?? '';
  const plain = [...base].map((character) => (character < ' ' || '<>:"|?*\u007F'.includes(character) ? '-' : character)).join('');
  const name = plain.replace(/^[.\s]+|[.\s]+$/g, '').slice(0, 120);
  if (name === '') return 'holdfast.txt';
  return reserved.test(name) ? `_${name}` : name;
}
