export interface Labels {
  /** Metric name in quotes among the labels, the Prometheus 3 syntax for names with other characters. */
  readonly name: string | null;
  readonly labels: readonly Label[];
  /** Position after the closing brace. */
  readonly end: number;
}

export interface Label {
  readonly name: string;
  /** `!=` is valid only in selections. */
  readonly is: '=' | '!=';
  readonly value: string;
}

const BLANK_PATTERN = /[ \t]*/y;
const LABEL_NAME_PATTERN = /[a-zA-Z_][a-zA-Z0-9_]*/y;
/** Matches a quoted text, in which a backslash escapes a backslash, a quote or n (line feed). */
const QUOTED_PATTERN = /"((?:[^"\\\n]|\\.)*)"/y;

/** Parses `{name="value",…}` at the position of its opening brace, with an optional trailing comma; null if invalid. */
export function readLabels(text: string, from: number): Labels | null {
  if (text[from] !== '{') return null;
  const labels: Label[] = [];
  let name: string | null = null;
  let position = skip(text, from + 1);
  while (text[position] !== '}') {
    const quoted = match(QUOTED_PATTERN, text, position);
    const word = quoted ?? match(LABEL_NAME_PATTERN, text, position);
    if (word === null) return null;
    const called = quoted === null ? word[0] : unescapeQuotes(word[1] ?? '');
    position = skip(text, position + word[0].length);
    const is = text.startsWith('!=', position) ? '!=' : text[position] === '=' ? '=' : null;
    if (is === null) {
      if (quoted === null || name !== null || labels.length > 0) return null;
      name = called;
    } else {
      position = skip(text, position + is.length);
      const value = match(QUOTED_PATTERN, text, position);
      if (value === null) return null;
      labels.push({ name: called, is, value: unescapeQuotes(value[1] ?? '') });
      position = skip(text, position + value[0].length);
    }
    if (text[position] === ',') position = skip(text, position + 1);
    else if (text[position] !== '}') return null;
  }
  return { name, labels, end: position + 1 };
}

/** A selection of samples that are summed: `http_requests_total{code="500",method!="GET"}`. */
export interface PrometheusSelection {
  readonly text: string;
  readonly name: string;
  readonly labels: readonly Label[];
}

const METRIC_NAME_PATTERN = /[a-zA-Z_:][a-zA-Z0-9_:]*/y;

/** Parses a selection of a plan; null if invalid. */
export function parseSelection(text: string): PrometheusSelection | null {
  const from = skip(text, 0);
  const bare = match(METRIC_NAME_PATTERN, text, from)?.[0] ?? null;
  const position = skip(text, from + (bare?.length ?? 0));
  const labels = readLabels(text, position);
  const end = skip(text, labels?.end ?? position);
  const name = bare ?? labels?.name ?? null;
  if (end < text.length || name === null || (bare !== null && labels !== null && labels.name !== null)) return null;
  return { text: text.trim(), name, labels: labels?.labels ?? [] };
}

/** Returns the position of the next character that is neither a space nor a tab. */
export function skip(text: string, from: number): number {
  return from + (match(BLANK_PATTERN, text, from)?.[0].length ?? 0);
}

export function match(sticky: RegExp, text: string, from: number): RegExpExecArray | null {
  sticky.lastIndex = from;
  return sticky.exec(text);
}

/** Resolves escapes. Before any other letter, a backslash is literal. */
function unescapeQuotes(text: string): string {
  return text.replaceAll(/\\(.)/g, (both, letter: string) => (letter === 'n' ? '\n' : letter === '\\' || letter === '"' ? letter : both));
}
