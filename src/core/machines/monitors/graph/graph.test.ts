import { describe, expect, it } from 'vitest';
import { measureGrowth, MAX_GROWTH } from '#core/testing/growth.ts';
import { layOnRun, explainOutside } from './graphMonitor.ts';
import { type Graph, type GraphOptions, readGraph } from './readGraph.ts';
import { parseValue } from './columns.ts';
import { parseZone } from './times.ts';

const TEN = Date.UTC(2014, 3, 25, 10);
const zone = (text: string): { zone: NonNullable<GraphOptions['zone']> } => {
  const parsed = parseZone(text);
  if (parsed === null) throw new Error(`${text} is no time zone`);
  return { zone: parsed };
};

function makeGraph(text: string, options: GraphOptions = {}): Graph {
  const read = readGraph(text, options);
  if (read.graph === null) throw new Error(read.problems.map(({ line, message }) => `${line}: ${message}`).join('\n'));
  return read.graph;
}

function listProblems(text: string, options: GraphOptions = {}): string[] {
  const read = readGraph(text, options);
  return read.graph === null ? read.problems.map(({ message }) => message) : [];
}

describe('row times', () => {
  it.each([
    '2014-04-25T10:00:00Z',
    '2014-04-25T10:00Z',
    '2014-04-25T10:00:00.000000Z',
    '2014-04-25T12:00:00+02:00',
    '2014-04-25 12:00:00 +0200',
    '2014-04-25 06:30:00 -03:30',
    '2014/04/25 10:00:00 UTC',
    '2014-04-25 10:00:00 +0000 UTC',
    'Fri, 25 Apr 2014 10:00:00 GMT',
    'Fri Apr 25 2014 12:00:00 GMT+0200 (Central European Summer Time)',
    '1398420000',
    '1398420000000',
    '1398420000000000',
    '1398420000.000',
  ])('are read as %s', (time) => expect(makeGraph(`time;cpu\n${time};1`).timesMs[0]).toBe(TEN));

  it.each([
    ['2014-04-25 12:00:00', 'Europe/Berlin'],
    ['25.04.2014 12:00', 'Europe/Berlin'],
    ['4/25/2014 12:00 PM', '+02:00'],
    ['Apr 25, 2014, 12:00:00\u202fPM', 'UTC+2'],
    ['25-Apr-2014 03:30', '-06:30'],
    ['2014-04-25 10:00', 'UTC'],
  ])('are read in the given zone: %s, %s', (time, given) => {
    expect(makeGraph(`time;cpu\n${time};1`, zone(given)).timesMs[0]).toBe(TEN);
    expect(listProblems(`time;cpu\n${time};1`)).toEqual([expect.stringContaining('have no time zone')]);
  });

  it.each(['Timestamp (UTC)', 'Time [GMT+0]'])('use the time zone in the column name: %s', (name) =>
    expect(makeGraph(`${name},cpu\n2014-04-25 10:00:00,1`, zone('+05:00')).timesMs[0]).toBe(TEN),
  );

  it('are correct in the night of a clock change', () => {
    const berlin = zone('Europe/Berlin').zone;
    const hours = ['2014-03-30T01:59', '2014-03-30T03:00', '2014-10-26T01:59', '2014-10-26T03:00'].map(
      (shown) => berlin(Date.parse(`${shown}Z`)) / 3_600_000,
    );
    expect(hours).toEqual([1, 2, 2, 1]);
  });

  it('infer the order of day and month from all rows, or else from the run, or else ask', () => {
    const utc = zone('UTC');
    expect(makeGraph('t,cpu\n04/05/2014 10:00,1\n04/25/2014 10:00,1', utc).timesMs[0]).toBe(Date.UTC(2014, 3, 5, 10));
    expect(makeGraph('t,cpu\n04/05/2014 10:00,1\n25/05/2014 10:00,1', utc).timesMs[0]).toBe(Date.UTC(2014, 4, 4, 10));
    const unsure = 't,cpu\n04/05/2014 10:00,1\n04/05/2014 10:01,2';
    expect(listProblems(unsure, utc)).toEqual([expect.stringContaining('the day or the month')]);
    expect(makeGraph(unsure, { ...utc, nearMs: Date.UTC(2014, 3, 5, 11) }).timesMs[0]).toBe(Date.UTC(2014, 3, 5, 10));
    expect(makeGraph(unsure, { ...utc, nearMs: Date.UTC(2014, 4, 4, 11) }).timesMs[0]).toBe(Date.UTC(2014, 4, 4, 10));
    expect(listProblems('t,cpu\n25/04/2014 10:00,1\n04/25/2014 10:00,1', utc)).toEqual([expect.stringContaining('others with the month')]);
    expect(makeGraph('t,cpu\n04.05.2014 10:00,1', utc).timesMs[0]).toBe(Date.UTC(2014, 4, 4, 10));
  });

  it.each(['10:00', 'yesterday', '2014-02-30 10:00Z', '2014-04-25 25:00Z', '2014-04-25'])('are not guessed from %s', (time) =>
    expect(listProblems(`time,cpu\n${time},1`)).toEqual([expect.stringContaining('no column contains date')]),
  );
});

describe('console exports', () => {
  it('from CloudWatch may have rows above the header', () => {
    const text =
      'Full label,CPUUtilization of a long name,\nLabel,CPU,Connections\nPeriod,60,60\n2014-04-25T10:00:00Z,9.5,\n2014-04-25T10:01:00Z,95.25,291\n';
    expect(makeGraph(text)).toMatchObject({
      stepMs: 60_000,
      columns: [
        { name: 'CPU', points: [{ atMs: TEN, value: 9.5 }, { value: 95.25 }] },
        { name: 'Connections', points: [{ value: null }, { value: 291 }] },
      ],
    });
  });

  it('from Grafana may have units, a byte order mark and gaps', () => {
    const text = '\ufeff"Time","CPU","Memory"\r\n"2014-04-25 10:00:00","12.5 %","1.5 GiB"\r\n"2014-04-25 10:00:30","NaN","900 MiB"\r\n';
    const read = readGraph(text, zone('UTC'));
    expect(read.graph?.columns).toEqual([
      {
        name: 'CPU',
        unit: '%',
        points: [
          { atMs: TEN, value: 12.5 },
          { atMs: TEN + 30_000, value: null },
        ],
      },
    ]);
    expect(read.graph !== null && read.leftOut).toEqual(['Memory: mixes the units GiB and MiB']);
  });

  it('from a spreadsheet may have semicolons, decimal commas, descending times and a text column', () => {
    const text = 'Zeit;Server;Last;Anfragen\n25.04.2014 10:01;web1;1,25;1.500,5\n25.04.2014 10:00;web1;0,5;12\n';
    const read = readGraph(text, zone('UTC'));
    expect(read.graph?.columns.map(({ name, points }) => [name, ...points.map(({ value }) => value)])).toEqual([
      ['Last', 0.5, 1.25],
      ['Anfragen', 12, 1_500.5],
    ]);
    expect(read.graph !== null && read.leftOut).toEqual(['Server: contains more than numbers']);
  });

  it('get column names if they have none, and distinct names for duplicates', () => {
    expect(makeGraph('1398420000\t1\t2').columns.map(({ name }) => name)).toEqual(['column 2', 'column 3']);
    expect(makeGraph('t,cpu,cpu\n1398420000,1,2').columns.map(({ name }) => name)).toEqual(['cpu', 'cpu (2)']);
  });

  it('keep gaps where rows are missing', () => {
    const minutes = [0, 1, 2, 6, 7].map((minute) => `${1_398_420_000 + minute * 60},${minute}`).join('\n');
    expect(makeGraph(`t,cpu\n${minutes}`).columns[0]?.points.map(({ value }) => value)).toEqual([0, 1, 2, null, 6, 7]);
  });

  it('are refused with their unreadable lines or duplicate times', () => {
    const read = readGraph('t,cpu\n1398420000,1\nhello,2\n1398420120,3\nworld,4');
    expect(read.graph === null && read.problems.map(({ line }) => line)).toEqual([3, 5]);
    expect(listProblems('t,host,cpu\n1398420000,a,1\n1398420000,b,2')).toEqual([expect.stringContaining('the same time')]);
    expect(listProblems('t,host\n1398420000,a')).toEqual([expect.stringContaining('no column contains numbers')]);
  });
});

describe('unusual files', () => {
  const epochs = (count: number): string[] => Array.from({ length: count }, (_, row) => String(1_398_420_001 + row));

  it.each([
    ['one long row', (size: number) => `1398420000${',1'.repeat(20 * size)}`],
    ['one long row above many short ones', (size: number) => [`1398420000${',1'.repeat(size)}`, ...epochs(size)].join(',\n')],
    [
      'a column of numbers and gaps in turn',
      (size: number) =>
        epochs(8 * size)
          .map((time, row) => `${time};${row % 2 || ''}`)
          .join('\n'),
    ],
  ])('are read in linear time and memory: %s', (_what, textOf) => {
    expect(measureGrowth((size) => void readGraph(textOf(size)), 500)).toBeLessThan(MAX_GROWTH);
    const text = textOf(2_000);
    expect(JSON.stringify(readGraph(text)).length).toBeLessThan(20 * text.length);
  });

  it('are read up to the maximum number of columns, and the number of the others is reported', () => {
    const read = readGraph(`1398420000${',1'.repeat(1_000)}`);
    expect(read.graph?.columns).toHaveLength(199);
    expect(read.graph !== null && read.leftOut).toEqual(['801 more columns: at most 200 are read']);
  });

  it('may have more rows than a function call may have arguments', () => {
    expect(makeGraph(epochs(200_000).join(',1\n')).timesMs).toHaveLength(200_000);
  });

  it('get one gap point for any number of missing rows', () => {
    const text = ['1398420000,,1', '1398420060,1', '1398420120,', '1398420180,,', '1398420240,2,', '1398420300,,'].join('\n');
    expect(makeGraph(text).columns.map(({ points }) => points.map(({ atMs, value }) => [(atMs - TEN) / 60_000, value]))).toEqual([
      [
        [0, null],
        [1, 1],
        [2, null],
        [4, 2],
        [5, null],
      ],
      [
        [0, 1],
        [1, null],
      ],
    ]);
  });
});

describe('parseValue', () => {
  it.each([
    ['1234.5', false, 1_234.5],
    ['1,234.5', false, 1_234.5],
    ['1.234,5', true, 1_234.5],
    ['1 234,5', true, 1_234.5],
    ['-0.5e3', false, -500],
    ['12,5', false, null],
    ['1.2.3', false, null],
    ['0x10', false, null],
    ['12 of 20', false, null],
  ])('reads %s (decimal comma: %s) as %s', (text, comma, value) => {
    const read = parseValue(text, comma);
    expect(typeof read === 'object' ? (read?.value ?? null) : read).toBe(value);
  });
});

describe('layOnRun', () => {
  const graph = makeGraph(`t,cpu\n${Array.from({ length: 20 }, (_, minute) => `${1_398_420_000 + minute * 60},${minute}`).join('\n')}`);

  it('keeps readings during the run and one step before and after', () => {
    const laid = layOnRun(graph, { startedAtMs: TEN + 150_000, seconds: 120 });
    expect(laid?.columns[0]?.points).toEqual([
      { second: -30, value: 2 },
      { second: 30, value: 3 },
      { second: 90, value: 4 },
      { second: 150, value: 5 },
    ]);
    expect(laid).toMatchObject({ stepSeconds: 60, outside: 16 });
  });

  it('returns null if the times do not overlap, and explainOutside suggests the time zone that would match', () => {
    const run = { startedAtMs: TEN + 2 * 3_600_000, seconds: 1_200 };
    expect(layOnRun(graph, run)).toBeNull();
    expect(explainOutside(graph, run)).toBe(
      'the file covers 2014-04-25 10:00:00 UTC to 2014-04-25 10:19:00 UTC, the run 2014-04-25 12:00:00 UTC to 2014-04-25 12:20:00 UTC: it would match if its times were 2 h later',
    );
    expect(explainOutside(graph, { ...run, startedAtMs: TEN + 99 * 3_600_000 })).not.toContain('would match');
  });
});
