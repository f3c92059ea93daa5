import { match, readLabels, skip, type Label } from '#core/plan/prometheusSelection.ts';

/** One line of what an exporter tells. */
export interface PrometheusSample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  /** May be NaN or infinite. */
  readonly value: number;
}

/** Told of each line that is read. */
export interface PrometheusListener {
  /** Asked before a sample is read: an exporter may tell a hundred thousand of other names. */
  wants(name: string): boolean;
  sample(sample: PrometheusSample): void;
  /** `type`: `counter`, `gauge`, `histogram` … */
  type(family: string, type: string): void;
  /** A line, from 1, that is neither a sample nor a remark. */
  unread(line: number): void;
}

/** Longer than any exporter writes; the rest of such a line is not looked at. */
export const LONGEST_LINE = 65_536;

const NAME = /[a-zA-Z_:][a-zA-Z0-9_:]*/y;
/** What Go writes and reads as a number, but for hexadecimal ones, which no exporter writes. */
const NUMBER = /[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)(?=[ \t]|$)/iy;
/** A time, and what OpenMetrics puts behind it: an exemplar, which begins with #. */
const REST = /[ \t]*(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)?[ \t]*(?:#.*)?$/y;
const TYPE = /^#[ \t]+TYPE[ \t]+("(?:[^"\\]|\\.)*"|\S+)[ \t]+(\w+)[ \t]*$/;

/** Reads the text format of Prometheus (0.0.4) and OpenMetrics (1.0), piece by piece as it comes: a whole answer at once would hold up whoever reads it. */
export class PrometheusReader {
  private readonly listener: PrometheusListener;
  private rest = '';
  private line = 0;
  private isTooLong = false;
  private isOver = false;

  constructor(listener: PrometheusListener) {
    this.listener = listener;
  }

  /** What comes next, cut anywhere. */
  take(piece: string): void {
    let from = 0;
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', from)) {
      this.endLine(piece.slice(from, end));
      from = end + 1;
    }
    this.keep(piece.slice(from));
  }

  /** Nothing comes any more. */
  end(): void {
    this.endLine('');
  }

  private keep(text: string): void {
    if (this.rest.length + text.length > LONGEST_LINE) this.isTooLong = true;
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
  // Exactly one place has the name.
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
