import { match, readLabels, skip, type Label } from './labels.ts';

/** One line of what an exporter tells. */
export interface PrometheusSample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  /** May be NaN or infinite. */
  readonly value: number;
}

export interface PrometheusText {
  readonly samples: readonly PrometheusSample[];
  /** `counter`, `gauge`, `histogram` … by the name of the family; what is not said is not there. */
  readonly types: ReadonlyMap<string, string>;
  /** Lines, from 1, that are neither a sample nor a remark. */
  readonly unreadLines: readonly number[];
}

const NAME = /[a-zA-Z_:][a-zA-Z0-9_:]*/y;
/** What Go writes and reads as a number, but for hexadecimal ones, which no exporter writes. */
const NUMBER = /[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)(?=[ \t]|$)/iy;
/** A time, and what OpenMetrics puts behind it: an exemplar, which begins with #. */
const REST = /[ \t]*(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)?[ \t]*(?:#.*)?$/y;
const TYPE = /^#[ \t]+TYPE[ \t]+("(?:[^"\\]|\\.)*"|\S+)[ \t]+(\w+)[ \t]*$/;

/**
 * Reads the text format of Prometheus (0.0.4) and OpenMetrics (1.0). `wants` leaves out the samples of other names before they are
 * read: an exporter may tell a hundred thousand.
 */
export function parsePrometheus(text: string, wants: (name: string) => boolean = () => true): PrometheusText {
  const samples: PrometheusSample[] = [];
  const types = new Map<string, string>();
  const unreadLines: number[] = [];
  for (const [index, written] of text.split('\n').entries()) {
    const line = written.endsWith('\r') ? written.slice(0, -1) : written;
    const start = skip(line, 0);
    if (line[start] === '#') {
      if (line === '# EOF') break;
      const [, name = '', type = ''] = TYPE.exec(line) ?? [];
      if (type !== '') types.set(nameOf(name), type);
    } else if (start < line.length) {
      const sample = sampleOf(line, start, wants);
      if (sample === null) unreadLines.push(index + 1);
      else if (sample !== 'not wanted') samples.push(sample);
    }
  }
  return { samples, types, unreadLines };
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
