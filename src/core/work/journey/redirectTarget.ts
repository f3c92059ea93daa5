/** One part of an address: what stands between its places of any text. */
type Part = readonly string[];

/**
 * Where a redirect has to lead, as plans say it: path and query of an address, in which `*` is any text within one part. `/issues/*` is the page of some issue, and
 * not its form `/issues/42/edit`. Parameters may come in any order; a parameter `*` is any others.
 */
export interface RedirectTarget {
  readonly path: readonly Part[];
  readonly parameters: readonly Part[];
  readonly mayHaveMore: boolean;
}

const ANY = '*';

export function parseRedirectTarget(text: string): RedirectTarget {
  const { path, parameters } = partsOf(text);
  const pieces = (part: string): Part => part.split(ANY).map(decoded);
  return {
    path: path.map(pieces),
    parameters: parameters.filter((parameter) => parameter !== ANY).map(pieces),
    mayHaveMore: parameters.includes(ANY),
  };
}

export function leadsTo({ path, parameters, mayHaveMore }: RedirectTarget, { pathname, search }: URL): boolean {
  const given = partsOf(pathname + search);
  if (given.path.length !== path.length || !path.every((part, index) => matches(part, given.path[index] ?? ''))) return false;
  const left = [...given.parameters];
  for (const part of parameters) {
    const found = left.findIndex((parameter) => matches(part, parameter));
    if (found < 0) return false;
    left.splice(found, 1);
  }
  return mayHaveMore || left.length === 0;
}

/** A value as a part of a target: none of its characters means anything there. */
export function inRedirectTarget(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replaceAll(ANY, '%2A');
}

/** Where an address leads, with `*` in place of numbers and tokens: failures are counted by it, and with them there would be too many names. */
export function redirectKind({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  const { path, parameters } = partsOf(pathname + search);
  const kinds = path.map((part) => (isVariablePart(part) ? ANY : part));
  const pairs = parameters.map((parameter) => {
    const [name = '', value] = splitPair(parameter);
    return value === null ? name : `${name}=${value === '' || !isVariablePart(value) ? value : ANY}`;
  });
  return `${kinds.join('/')}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
}

/** A number, a token or the words of a title: another one tomorrow. */
export function isVariablePart(part: string): boolean {
  return /\d|%/.test(part) || part.length > 24 || part.split(/[-_+]/).length > 3;
}

/** Name and value of a parameter as they are written; null for one without a sign between them. */
export function splitPair(parameter: string): [name: string, value: string | null] {
  const equals = parameter.indexOf('=');
  return equals < 0 ? [parameter, null] : [parameter.slice(0, equals), parameter.slice(equals + 1)];
}

export function partsOf(address: string): { readonly path: readonly string[]; readonly parameters: readonly string[] } {
  const question = address.indexOf('?');
  const query = question < 0 ? '' : address.slice(question + 1);
  return {
    path: (question < 0 ? address : address.slice(0, question)).split('/'),
    parameters: query.split('&').filter((parameter) => parameter !== ''),
  };
}

/** Each place of any text holds one character at least. Read once from left to right, however often `*` stands there. */
function matches(pieces: Part, written: string): boolean {
  const text = decoded(written);
  const [first = '', ...others] = pieces;
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let position = first.length;
  for (const piece of others) {
    const found = text.indexOf(piece, position + 1);
    if (found < 0) return false;
    position = found + piece.length;
  }
  return text.endsWith(last) && text.length - last.length > position;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
