import type { Catalogue, MonitorReading, Quantity } from '../result.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import { type PrometheusSelection, match, readLabels, skip, type Label } from '#core/plan/prometheusSelection.ts';

/** Values of the selected metrics, in the order of selection. */
export interface PrometheusResponse {
  /** Value of each selection; null if no sample matched. */
  readonly found: readonly (PrometheusNumber | null)[];
  /** Names of all metrics except `_bucket`, for messages. Empty unless requested. */
  readonly names: readonly string[];
}
interface PrometheusNumber {
  readonly counts: boolean;
  /** Sum of the samples; null if one of them is NaN or infinite. */
  readonly value: number | null;
}

/** Maximum number of names. Further names are left out, because an exporter may create any number of them. */
const MAX_NAMES = 5_000;

/** Reads the selected metrics from the output of an exporter, piece by piece. Matching samples are added up and not stored. */
export class MetricReader {
  private readonly chosen: readonly PrometheusSelection[];
  private readonly sums: (number | null)[];
  private readonly types = new Map<string, string>();
  private readonly names = new Set<string>();
  private readonly reader: PrometheusReader;

  constructor(chosen: readonly PrometheusSelection[], wantsNames: boolean) {
    this.chosen = chosen;
    this.sums = chosen.map(() => null);
    const wanted = new Set(chosen.map(({ name }) => name));
    this.reader = new PrometheusReader({
      wants: (name) => wanted.has(name) || (wantsNames && this.names.size < MAX_NAMES && !this.names.has(name)),
      sample: (sample) => {
        if (wantsNames && this.names.size < MAX_NAMES) this.names.add(sample.name);
        if (wanted.has(sample.name)) this.add(sample);
      },
      type: (family, type) => {
        if (chosen.some(({ name }) => name.startsWith(family))) this.types.set(family, type);
      },
      unread: () => {},
    });
  }

  take(piece: string): void {
    this.reader.take(piece);
  }

  end(): PrometheusResponse {
    this.reader.end();
    const found = this.chosen.map(({ name }, index): PrometheusNumber | null => {
      const sum = this.sums[index] ?? null;
      return sum === null ? null : { counts: isCounter(name, this.types), value: Number.isFinite(sum) ? sum : null };
    });
    return { found, names: [...this.names].filter((name) => !name.endsWith('_bucket')) };
  }

  private add(sample: PrometheusSample): void {
    for (const [index, selection] of this.chosen.entries())
      if (isSelected(sample, selection)) this.sums[index] = (this.sums[index] ?? 0) + sample.value;
  }
}

/** Returns a catalogue with one chart per metric, because it is unknown which metrics belong together. */
export function prometheusCatalogue(chosen: readonly PrometheusSelection[], { found }: Pick<PrometheusResponse, 'found'>): Catalogue {
  return {
    quantities: chosen.map(({ text, name }, index) => ({
      id: idOf(index),
      words: text,
      unit: unitOf(name, found[index]?.counts ?? false),
      chart: text,
    })),
  };
}

/** Returns the reading with the ids of {@link prometheusCatalogue}. */
export function prometheusReading(chosen: readonly PrometheusSelection[], { found }: Pick<PrometheusResponse, 'found'>): MonitorReading {
  const gauges: Record<string, number> = {};
  const counters: Record<string, number> = {};
  for (const [index, metric] of found.entries()) {
    if (metric === null || metric.value === null) continue;
    const inMs = unitOf(chosen[index]?.name ?? '', metric.counts) === 'ms';
    setOwn(metric.counts ? counters : gauges, idOf(index), inMs ? metric.value * 1_000 : metric.value);
  }
  return { gauges, counters };
}

function idOf(index: number): string {
  return `prometheus.${index + 1}`;
}

/** Returns the unit that the suffix of a metric name states, as is the convention in Prometheus. */
function unitOf(name: string, counts: boolean): Quantity['unit'] {
  const base = name.replace(/_(?:total|sum)$/, '');
  if (base.endsWith('_bytes')) return counts ? 'bytesPerSecond' : 'bytes';
  if (counts) return /cpu_(?:\w+_)?seconds$/.test(base) ? 'cores' : 'perSecond';
  if (base.endsWith('_seconds')) return 'ms';
  return base.endsWith('_ratio') ? 'share' : 'count';
}

/** Returns whether a sample matches a selection. A missing label equals an empty one, as in Prometheus. */
function isSelected({ name, labels }: PrometheusSample, selection: PrometheusSelection): boolean {
  return (
    name === selection.name && selection.labels.every((label) => ((labels.get(label.name) ?? '') === label.value) === (label.is === '='))
  );
}

const FAMILY_SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: ['', '_total'],
  histogram: ['_bucket', '_count', '_sum'],
  summary: ['_count', '_sum'],
};

/** Returns whether a metric is a counter, by the type of its family or else by its suffix. */
function isCounter(name: string, types: ReadonlyMap<string, string>): boolean {
  for (const [family, type] of types)
    if (name.startsWith(family) && getOwn(FAMILY_SUFFIXES, type)?.includes(name.slice(family.length)) === true) return true;
  const own = types.get(name);
  return (own === undefined || own === 'untyped' || own === 'unknown') && name.endsWith('_total');
}

export interface PrometheusSample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  /** Value, which may be NaN or infinite. */
  readonly value: number;
}

/** Receives each parsed line. */
interface PrometheusListener {
  /**
   * Returns whether a sample is needed. Called before the sample is parsed, because an exporter may report a hundred thousand other
   * samples.
   */
  wants(name: string): boolean;
  sample(sample: PrometheusSample): void;
  /** Receives a type: `counter`, `gauge`, `histogram` … */
  type(family: string, type: string): void;
  /** Receives the number, from 1, of a line that is neither a sample nor a comment. */
  unread(line: number): void;
}

/** Maximum length of a line, which no line of an exporter reaches. The rest of a longer line is ignored. */
export const MAX_LINE_LENGTH = 65_536;

const NAME_PATTERN = /[a-zA-Z_:][a-zA-Z0-9_:]*/y;
/** Matches a number in Go's format, without hexadecimal forms, because no exporter writes them. */
const NUMBER_PATTERN = /[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)(?=[ \t]|$)/iy;
/** Matches a timestamp and an OpenMetrics exemplar, which starts with #. */
const LINE_REST_PATTERN = /[ \t]*(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)?[ \t]*(?:#.*)?$/y;
const TYPE_LINE_PATTERN = /^#[ \t]+TYPE[ \t]+("(?:[^"\\]|\\.)*"|\S+)[ \t]+(\w+)[ \t]*$/;

/** Parses the text format of Prometheus (0.0.4) and OpenMetrics (1.0) in pieces. Parsing a whole response would block the process. */
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
      const [, name = '', type = ''] = TYPE_LINE_PATTERN.exec(line) ?? [];
      if (type !== '') this.listener.type(nameOf(name), type);
    } else if (start < line.length) {
      const sample = parseSample(line, start, (name) => this.listener.wants(name));
      if (sample === null) this.listener.unread(this.line);
      else if (sample !== 'not wanted') this.listener.sample(sample);
    }
  }
}

function parseSample(line: string, start: number, wants: (name: string) => boolean): PrometheusSample | 'not wanted' | null {
  const bare = match(NAME_PATTERN, line, start)?.[0] ?? null;
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
  const number = match(NUMBER_PATTERN, line, position)?.[0];
  if (number === undefined || match(LINE_REST_PATTERN, line, position + number.length) === null) return null;
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
