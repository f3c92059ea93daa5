import { match, readLabels, skip, type Label } from '#core/plan/prometheusSelection.ts';

export interface PrometheusSample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  /** May be NaN or infinite. */
  readonly value: number;
}

/** Receives each parsed line. */
export interface PrometheusListener {
  /** Returns whether a sample is needed. Called before parsing, because an exporter may report a hundred thousand other samples. */
  wants(name: string): boolean;
  sample(sample: PrometheusSample): void;
  /** `type`: `counter`, `gauge`, `histogram` … */
  type(family: string, type: string): void;
  /** A line number, from 1, of a line that is neither a sample nor a comment. */
  unread(line: number): void;
}

/** Longer than any line of an exporter. The rest of a longer line is ignored. */
export const MAX_LINE_LENGTH = 65_536;

const NAME = /[a-zA-Z_:][a-zA-Z0-9_:]*/y;
/** A number in Go's format without hexadecimal forms, which no exporter writes. */
const NUMBER = /[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)(?=[ \t]|$)/iy;
/** A timestamp and an OpenMetrics exemplar, which starts with #. */
const REST = /[ \t]*(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)?[ \t]*(?:#.*)?$/y;
const TYPE = /^#[ \t]+TYPE[ \t]+("(?:[^"\\]|\\.)*"|\S+)[ \t]+(\w+)[ \t]*$/;

/** Parses the text format of Prometheus (0.0.4) and OpenMetrics (1.0) piece by piece, because parsing a whole response at once would block the process. */
export class PrometheusReader {
  private readonly listener: PrometheusListener;
  private rest = '';
  private line = 0;
  private isTooLong = false;
  private isOver = false;

  constructor(listener: PrometheusListener) {
    this.listener = listener;
  }

  /** Parses the next piece, which may end within a line. */
  take(piece: string): void {
    let from = 0;
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', from)) {
      this.endLine(piece.slice(from, end));
      from = end + 1;
    }
    this.keep(piece.slice(from));
  }

  /** Parses the last line. */
  end(): void {
    this.endLine('');
  }

  private keep(text: string): void {
    if (this.rest.length + text.length > MAX_LINE_LENGTH) this.isTooLong = true;
    this.rest = this.isTooLong ? '' : this.rest + text;
  }

  private endLine(text: string): void {
    this.keep(text);
    const { rest, isTooLong } = this;
    this.rest = '';
    this.isTooLong = false;
    this.line += 1;
    if (this.isOver) return;
    if (isTooLong) this.listener.unread(this.line);
    else this.read(rest.endsWith('\r') ? rest.slice(0, -1) : rest);
  }

  private read(line: string): void {
    const start = skip(line, 0);
    if (line[start] === '#') {
      if (line === '# EOF') this.isOver = true;
      const [, name = '', type = ''] = TYPE.exec(line) ?? [];
      if (type !== '') this.listener.type(nameOf(name), type);
    } else if (start < line.length) {
      const sample = sampleOf(line, start, (name) => this.listener.wants(name));
      if (sample === null) this.listener.unread(this.line);
      else if (sample !== 'not wanted') this.listener.sample(sample);
    }
  }
}

function sampleOf(line: string, start: number, wants: (name: string) => boolean): PrometheusSample | 'not wanted' | null {
  const bare = match(NAME, line, start)?.[0] ?? null;
  if (bare !== null && !wants(bare)) return 'not wanted';
  let position = skip(line, start + (bare?.length ?? 0));
  const labels = readLabels(line, position);
  if (labels === null && line[position] === '{') return null;
  const name = bare ?? labels?.name ?? null;
  // The name is either before the braces or within them, never both.
  if (name === null || (bare !== null && labels?.name !== null && labels !== null)) return null;
  if (labels?.labels.some(({ is }) => is !== '=') === true) return null;
  if (!wants(name)) return 'not wanted';
  if (labels !== null) position = skip(line, labels.end);
  const number = match(NUMBER, line, position)?.[0];
  if (number === undefined || match(REST, line, position + number.length) === null) return null;
  return { name, labels: new Map((labels?.labels ?? []).map((label: Label) => [label.name, label.value])), value: valueOf(number) };
}

function valueOf(number: string): number {
  const plain = number.toLowerCase();
  if (plain.endsWith('nan')) return Number.NaN;
  if (!plain.includes('inf')) return Number(number);
  return plain.startsWith('-') ? -Infinity : Infinity;
}

function nameOf(written: string): string {
  return readLabels(`{${written}}`, 0)?.name ?? written;
}
