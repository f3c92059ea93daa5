/** What a command reads from standard input. */
export type Input =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string }
  /** Something that nobody knows before it has run. */
  | { readonly kind: 'unknown' };

const UNKNOWN: Input = { kind: 'unknown' };

/** What a command prints, of those that only repeat what they are given. */
export function outputOf(words: readonly string[], input: Input | null): Input {
  const [program = '', ...given] = words.filter((word, index) => index > 0 || !/^[$#>%]$/.test(word));
  switch (program.split('/').at(-1)) {
    case 'echo':
      return echoed(given);
    case 'printf':
      return formatted(given);
    case 'cat':
      if (given.length === 0 || (given.length === 1 && given[0] === '-')) return input ?? UNKNOWN;
      return given.length === 1 && given[0]?.startsWith('-') === false ? { kind: 'file', path: given[0] } : UNKNOWN;
    default:
      return UNKNOWN;
  }
}

function echoed(given: readonly string[]): Input {
  const count = given.findIndex((word) => !/^-[neE]+$/.test(word));
  const options = given.slice(0, count < 0 ? given.length : count).join('');
  const text = given.slice(count < 0 ? given.length : count).join(' ');
  const isRead = options.includes('e') && text.includes('\\');
  return isRead ? UNKNOWN : { kind: 'text', text: `${text}${options.includes('n') ? '' : '\n'}` };
}

function formatted([format = '', ...given]: readonly string[]): Input {
  const ended = format.replace(/\\n$/, '\n');
  if (ended.includes('\\')) return UNKNOWN;
  if (!ended.includes('%')) return given.length === 0 ? { kind: 'text', text: ended } : UNKNOWN;
  return /^%s\n?$/.test(ended) && given.length === 1 ? { kind: 'text', text: ended.replace('%s', () => given[0] ?? '') } : UNKNOWN;
}
