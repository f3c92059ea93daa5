export interface Labels {
  /** Stands among the labels since Prometheus 3, in quotes, when it has other letters than those of old. */
  readonly name: string | null;
  readonly labels: readonly Label[];
  /** Position behind the brace that closes them. */
  readonly end: number;
}

export interface Label {
  readonly name: string;
  /** `!=` stands in selections only. */
  readonly is: '=' | '!=';
  readonly value: string;
}

const BLANK = /[ \t]*/y;
const NAME = /[a-zA-Z_][a-zA-Z0-9_]*/y;
/** Within quotes a backslash stands before itself, a quote and the n of a new line. */
const QUOTED = /"((?:[^"\\\n]|\\.)*)"/y;

/** Reads `{name="value",…}` from the position of its first brace; a comma may stand behind the last one. null when it is none. */
export function readLabels(text: string, from: number): Labels | null {
  if (text[from] !== '{') return null;
  const labels: Label[] = [];
  let name: string | null = null;
  let position = skip(text, from + 1);
  while (text[position] !== '}') {
    const quoted = match(QUOTED, text, position);
    const word = quoted ?? match(NAME, text, position);
    if (word === null) return null;
    const called = quoted === null ? word[0] : unescaped(word[1] ?? '');
    position = skip(text, position + word[0].length);
    const is = text.startsWith('!=', position) ? '!=' : text[position] === '=' ? '=' : null;
    if (is === null) {
      if (quoted === null || name !== null || labels.length > 0) return null;
      name = called;
    } else {
      position = skip(text, position + is.length);
      const value = match(QUOTED, text, position);
      if (value === null) return null;
      labels.push({ name: called, is, value: unescaped(value[1] ?? '') });
      position = skip(text, position + value[0].length);
    }
    if (text[position] === ',') position = skip(text, position + 1);
    else if (text[position] !== '}') return null;
  }
  return { name, labels, end: position + 1 };
}

/** Which samples are added up into one quantity: `http_requests_total{code="500",method!="GET"}`. */
export interface PrometheusSelection {
  /** As it was written. */
  readonly text: string;
  readonly name: string;
  readonly labels: readonly Label[];
}

const METRIC_NAME = /[a-zA-Z_:][a-zA-Z0-9_:]*/y;

/** Reads a selection as it is written in a plan; null when it is none. */
export function parseSelection(text: string): PrometheusSelection | null {
  const from = skip(text, 0);
  const bare = match(METRIC_NAME, text, from)?.[0] ?? null;
  const position = skip(text, from + (bare?.length ?? 0));
  const labels = readLabels(text, position);
  const end = skip(text, labels?.end ?? position);
  const name = bare ?? labels?.name ?? null;
  if (end < text.length || name === null || (bare !== null && labels !== null && labels.name !== null)) return null;
  return { text: text.trim(), name, labels: labels?.labels ?? [] };
}

/** The position of what is neither a blank nor a tab. */
export function skip(text: string, from: number): number {
  return from + (match(BLANK, text, from)?.[0].length ?? 0);
}

export function match(sticky: RegExp, text: string, from: number): RegExpExecArray | null {
  sticky.lastIndex = from;
  return sticky.exec(text);
}

/** Any other letter behind a backslash stands for itself, and the backslash too. */
function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, (both, letter: string) => (letter === 'n' ? '\n' : letter === '\\' || letter === '"' ? letter : both));
}
