import { expect, it } from 'vitest';
import type { ChartSeries } from '../charts/types.ts';
import { buildDrawnRows } from '../charts/drawnRows.ts';
import { SERIES } from '../charts/looks.ts';
import type { Block, ReportChart } from '../document/model.ts';
import { background, foreground, layOutChart } from './background.ts';
import { blockHtml } from './blocks.ts';
import type { Markup } from './markup.ts';
import { HATCHES, hatchOf, hatchPath, shapes, swatch } from './shapes.ts';
import { percentilesFigure } from './plots.ts';

/** Splits a picture into its elements. */
const splitElements = (one: Markup): string[] => one.text.split(/(?=<(?!\/))/);

const series = (id: string, shape: ChartSeries['shape'], values: readonly (number | null)[], look = SERIES.p99): ChartSeries => ({
  id,
  name: id,
  label: id,
  look,
  shape,
  values,
});
const CHART: ReportChart = {
  title: 'Latency',
  unit: 'ms',
  about: 'from the start',
  data: {
    spans: [0, 1, 2, 3].map((second) => ({ second: 10 * second, width: 10 })),
    series: [series('p50', 'line', [10, 20, null, 30], SERIES.service), series('max', 'dots', [40, null, 60, 100])],
  },
  bands: [{ from: 'p50', to: 'max', opacity: 0.2 }] as never,
  limits: [
    { value: 50, label: 'limit 50 ms', breaches: { side: 'above', spans: [{ second: 20, width: 20 }] } },
    { value: 1_000, label: 'limit 1 s' },
  ] as never,
  frame: {
    to: 40,
    stages: [
      { name: 'warm-up', from: 0, to: 10, counted: false },
      { name: 'main', from: 10, to: 40, counted: true },
    ],
    ranges: [
      { from: 20, to: 30, label: 'slow', tone: 'failed' },
      { from: 21, to: 30, label: 'again', tone: 'info' },
    ],
    overloaded: [{ second: 30, width: 1 }],
  } as never,
};

it('chart: draws the background', () => {
  expect(splitElements(background(CHART, layOutChart(CHART, 'large')))).toEqual([
    '<rect x="58" y="22" width="127.5" height="134" fill="#eff1f3"/>',
    '<text x="62" y="15" fill="#4a565d">warm-up</text>',
    '<path d="M185.5 12V156" stroke="#c4cbd0"/>',
    '<text x="189.5" y="15" fill="#4a565d">main</text>',
    '<rect x="313" y="22" width="255" height="67" fill="#a31f1f" fill-opacity="0.14"/>',
    '<path d="M313 22v13" stroke="#a31f1f"/>',
    '<text x="317" y="33" fill="#a31f1f" font-weight="600" paint-order="stroke" stroke="#fff" stroke-width="3" stroke-linejoin="round">slow</text>',
    '<path d="M325.8 35v13" stroke="#33546b"/>',
    '<text x="329.8" y="46" fill="#33546b" font-weight="600" paint-order="stroke" stroke="#fff" stroke-width="3" stroke-linejoin="round">again</text>',
    '<path d="M58 156H568" stroke="#e4e8ea"/>',
    '<text x="52" y="159.5" text-anchor="end" fill="#4a565d">0</text>',
    '<path d="M58 129.2H568" stroke="#e4e8ea"/>',
    '<text x="52" y="132.7" text-anchor="end" fill="#4a565d">20\u00A0ms</text>',
    '<path d="M58 102.4H568" stroke="#e4e8ea"/>',
    '<text x="52" y="105.9" text-anchor="end" fill="#4a565d">40\u00A0ms</text>',
    '<path d="M58 75.6H568" stroke="#e4e8ea"/>',
    '<text x="52" y="79.1" text-anchor="end" fill="#4a565d">60\u00A0ms</text>',
    '<path d="M58 48.8H568" stroke="#e4e8ea"/>',
    '<text x="52" y="52.3" text-anchor="end" fill="#4a565d">80\u00A0ms</text>',
    '<path d="M58 22H568" stroke="#e4e8ea"/>',
    '<text x="52" y="25.5" text-anchor="end" fill="#4a565d">100\u00A0ms</text>',
    '<path d="M58 156H568" stroke="#4a565d"/>',
    '<path d="M58 156v4" stroke="#4a565d"/>',
    '<text x="58" y="171" text-anchor="middle" fill="#4a565d">0:00</text>',
    '<path d="M121.8 156v4" stroke="#4a565d"/>',
    '<text x="121.8" y="171" text-anchor="middle" fill="#4a565d">0:05</text>',
    '<path d="M185.5 156v4" stroke="#4a565d"/>',
    '<text x="185.5" y="171" text-anchor="middle" fill="#4a565d">0:10</text>',
    '<path d="M249.3 156v4" stroke="#4a565d"/>',
    '<text x="249.3" y="171" text-anchor="middle" fill="#4a565d">0:15</text>',
    '<path d="M313 156v4" stroke="#4a565d"/>',
    '<text x="313" y="171" text-anchor="middle" fill="#4a565d">0:20</text>',
    '<path d="M376.8 156v4" stroke="#4a565d"/>',
    '<text x="376.8" y="171" text-anchor="middle" fill="#4a565d">0:25</text>',
    '<path d="M440.5 156v4" stroke="#4a565d"/>',
    '<text x="440.5" y="171" text-anchor="middle" fill="#4a565d">0:30</text>',
    '<path d="M504.3 156v4" stroke="#4a565d"/>',
    '<text x="504.3" y="171" text-anchor="middle" fill="#4a565d">0:35</text>',
    '<path d="M568 156v4" stroke="#4a565d"/>',
    '<text x="568" y="171" text-anchor="middle" fill="#4a565d">0:40</text>',
  ]);
  expect(splitElements(background(CHART, layOutChart(CHART, 'small'))).slice(0, 6)).toEqual([
    '<rect x="58" y="22" width="127.5" height="114" fill="#eff1f3"/>',
    '<text x="62" y="15" fill="#4a565d">warm-up</text>',
    '<path d="M185.5 12V136" stroke="#c4cbd0"/>',
    '<text x="189.5" y="15" fill="#4a565d">main</text>',
    '<rect x="313" y="22" width="255" height="57" fill="#a31f1f" fill-opacity="0.14"/>',
    '<path d="M313 22v13" stroke="#a31f1f"/>',
  ]);
});

it('chart: keeps the number of a finding at the end of the time axis off the names of the lines', () => {
  const late = { ...CHART, frame: { ...CHART.frame, ranges: [{ from: 40, to: 40, label: '1', tone: 'info' }] } as never };
  expect(splitElements(background(late, layOutChart(late, 'large'))).find((text) => text.endsWith('>1</text>'))).toMatch(
    /^<text x="564" text-anchor="end" y="33"/,
  );
});

it('chart: draws the foreground', () => {
  expect(splitElements(foreground(CHART, layOutChart(CHART, 'large')))).toEqual([
    '<path d="M58 89H568" stroke="#1b242a" stroke-width="1.2" stroke-dasharray="7 3"/>',
    '<text x="564" y="86" text-anchor="end" fill="#1b242a" font-weight="600" paint-order="stroke" stroke="#fff" stroke-width="3" stroke-linejoin="round">limit 50\u00A0ms</text>',
    '<rect x="440.5" y="151" width="12.8" height="5" fill="#1b242a"/>',
  ]);
});

it('chart: draws lines, dots and the area between them', () => {
  expect(splitElements(shapes(CHART, buildDrawnRows(CHART.data), layOutChart(CHART, 'large'), 'c1'))).toEqual([
    '<g fill="none" stroke-linejoin="round">',
    '<path d="M121.8 102.4L121.8 142.6ZM504.3 22L504.3 115.8Z" fill="#4e3da5" fill-opacity="0.2"/>',
    '<path d="M121.8 142.6L249.3 129.2" stroke="#536067" stroke-width="1.6" stroke-dasharray="6 2 1 2"/>',
    '<path d="M121.8 142.6h0M249.3 129.2h0M504.3 115.8h0" stroke="#536067" stroke-width="4.8" stroke-linecap="round"/>',
    '<path d="M121.8 102.4h0M376.8 75.6h0M504.3 22h0" stroke="#4e3da5" stroke-width="2.4" stroke-linecap="round"/></g>',
  ]);
});

it('chart: draws stacked layers, each with its hatch', () => {
  const data = {
    ...CHART.data,
    series: [series('ok', 'stacked', [10, 20, 30, 40]), series('failed', 'stacked', [1, 2, 0, 4], SERIES.service)],
  };
  const chart = { ...CHART, data, unit: 'count' as const, bands: [], limits: [] };
  // Only the first lines of a hatch are compared.
  expect(splitElements(shapes(chart, buildDrawnRows(data), layOutChart(chart, 'small'), 'c1')).map((one) => one.slice(0, 250))).toEqual([
    '<g fill="none" stroke-linejoin="round">',
    '<path d="M58 113.2L185.5 113.2L185.5 90.4L313 90.4L313 67.6L440.5 67.6L440.5 44.8L568 44.8L568 136L440.5 136L440.5 136L313 136L313 136L185.5 136L185.5 136L58 136Z" fill="#4e3da5" fill-opacity="0.35" stroke="#4e3da5"/>',
    '<clipPath id="c1-1">',
    '<path d="M58 110.9L185.5 110.9L185.5 85.8L313 85.8L313 90.4L185.5 90.4L185.5 113.2L58 113.2ZM440.5 35.7L568 35.7L568 44.8L440.5 44.8Z"/></clipPath>',
    '<path d="M58 110.9L185.5 110.9L185.5 85.8L313 85.8L313 90.4L185.5 90.4L185.5 113.2L58 113.2ZM440.5 35.7L568 35.7L568 44.8L440.5 44.8Z" fill="#536067" fill-opacity="0.15" stroke="#536067"/>',
    '<path clip-path="url(#c1-1)" d="M-56 136l114 -114M-50 136l114 -114M-44 136l114 -114M-38 136l114 -114M-32 136l114 -114M-26 136l114 -114M-20 136l114 -114M-14 136l114 -114M-8 136l114 -114M-2 136l114 -114M4 136l114 -114M10 136l114 -114M16 136l114 -114M22',
  ]);
});

it('hatchPath: draws lines instead of a pattern', () => {
  expect(HATCHES.map((hatch) => hatchPath(hatch, 0, 0, 20, 10))).toEqual([
    '',
    'M-10 10l10 -10M-4 10l10 -10M2 10l10 -10M8 10l10 -10M14 10l10 -10',
    'M0 0H20M0 6H20',
    'M-10 0l10 10M-4 0l10 10M2 0l10 10M8 0l10 10M14 0l10 10',
    'M0 0V10M6 0V10M12 0V10M18 0V10',
    'M-10 10l10 -10M-4 10l10 -10M2 10l10 -10M8 10l10 -10M14 10l10 -10M-10 0l10 10M-4 0l10 10M2 0l10 10M8 0l10 10M14 0l10 10',
  ]);
});

it('swatch: draws a hatch for each layer and a swatch for each shape', () => {
  const layers = Array.from({ length: 7 }, (_, index) => series(`layer ${index}`, 'stacked', []));
  expect(layers.map((layer) => hatchOf([series('line', 'line', []), ...layers], layer))).toEqual([
    'none',
    'rising',
    'level',
    'falling',
    'upright',
    'crossed',
    'none',
  ]);
  expect(layers.slice(0, 6).map((layer) => swatch(layers, layer, 100, 20).text)).toEqual([
    '<rect x="100" y="15" width="16" height="10" fill="#4e3da5" fill-opacity="0.35" stroke="#4e3da5"/><path d="" stroke="#4e3da5" fill="none"/>',
    '<rect x="100" y="15" width="16" height="10" fill="#4e3da5" fill-opacity="0.15" stroke="#4e3da5"/><path d="M100 25l10 -10M106 25l10 -10" stroke="#4e3da5" fill="none"/>',
    '<rect x="100" y="15" width="16" height="10" fill="#4e3da5" fill-opacity="0.15" stroke="#4e3da5"/><path d="M100 18h16M100 22h16" stroke="#4e3da5" fill="none"/>',
    '<rect x="100" y="15" width="16" height="10" fill="#4e3da5" fill-opacity="0.15" stroke="#4e3da5"/><path d="M100 15l10 10M106 15l10 10" stroke="#4e3da5" fill="none"/>',
    '<rect x="100" y="15" width="16" height="10" fill="#4e3da5" fill-opacity="0.15" stroke="#4e3da5"/><path d="M105 15v10M111 15v10" stroke="#4e3da5" fill="none"/>',
    '<rect x="100" y="15" width="16" height="10" fill="#4e3da5" fill-opacity="0.15" stroke="#4e3da5"/><path d="M100 25l10 -10M106 25l10 -10M100 15l10 10M106 15l10 10" stroke="#4e3da5" fill="none"/>',
  ]);
  const others = [
    series('dots', 'dots', []),
    series('line', 'line', [], SERIES.service),
    series('line', 'line', [], { ...SERIES.service, dash: '' }),
  ];
  expect(others.map((one) => swatch(others, one, 100, 20).text)).toEqual([
    '<path d="M102 20h0M108 20h0M114 20h0" stroke="#4e3da5" stroke-width="3.2" stroke-linecap="round"/>',
    '<path d="M100 20h16" stroke="#536067" stroke-width="1.8" stroke-dasharray="6 2 1 2"/>',
    '<path d="M100 20h16" stroke="#536067" stroke-width="1.8"/>',
  ]);
});

it('percentilesFigure: draws times by share of responses', () => {
  const points = [0, 50, 90, 99, 100].map((percentile, index) => ({ percentile, ms: 10 * 2 ** index }));
  const line = { kind: 'response' as const, name: 'response time', points };
  expect(
    splitElements(
      percentilesFigure({ kind: 'percentiles', title: 'Times', about: 'of all', lines: [line], summary: 'Half within 20 ms.' }),
    ),
  ).toEqual([
    '<figure class="large">',
    '<figcaption>',
    '<strong>Times</strong> ',
    '<span>of all</span></figcaption>',
    '<svg role="img" aria-label="Times. Half within 20\u00A0ms." viewBox="0 0 680 220" width="680" height="220" font-size="11">',
    '<path d="M58 198H636" stroke="#e4e8ea"/>',
    '<text x="52" y="201.5" text-anchor="end" fill="#4a565d">10\u00A0ms</text>',
    '<path d="M58 154H636" stroke="#e4e8ea"/>',
    '<text x="52" y="157.5" text-anchor="end" fill="#4a565d">20\u00A0ms</text>',
    '<path d="M58 95.9H636" stroke="#e4e8ea"/>',
    '<text x="52" y="99.4" text-anchor="end" fill="#4a565d">50\u00A0ms</text>',
    '<path d="M58 52H636" stroke="#e4e8ea"/>',
    '<text x="52" y="55.5" text-anchor="end" fill="#4a565d">100\u00A0ms</text>',
    '<path d="M58 8H636" stroke="#e4e8ea"/>',
    '<text x="52" y="11.5" text-anchor="end" fill="#4a565d">200\u00A0ms</text>',
    '<path d="M145 8V198" stroke="#e4e8ea"/>',
    '<path d="M347 8V198" stroke="#e4e8ea"/>',
    '<path d="M636 8V198" stroke="#e4e8ea"/>',
    '<text x="145" y="213" text-anchor="middle" fill="#4a565d">50\u00A0%</text>',
    '<text x="347" y="213" text-anchor="middle" fill="#4a565d">90\u00A0%</text>',
    '<text x="636" y="213" text-anchor="middle" fill="#4a565d">99\u00A0%</text>',
    '<path d="M58 198H636" stroke="#4a565d"/>',
    '<path d="M58 198L145 154L347 110.1L636 66.1L636 22.2" stroke="#4e3da5" stroke-dasharray="3 3" stroke-width="2" fill="none"/></svg></figure>',
  ]);
  const service = { kind: 'service' as const, name: 'service time', points };
  const two = percentilesFigure({ kind: 'percentiles', title: 'Times', about: 'of all', lines: [line, service], summary: '' });
  expect(/<ul class="key">.*<\/ul>/.exec(two.text)?.[0]).toEqual(
    '<ul class="key"><li><svg aria-hidden="true" viewBox="0 0 18 12" width="18" height="12"><path d="M0 6H18" stroke="#4e3da5" stroke-dasharray="3 3" stroke-width="2"/></svg> response time</li><li><svg aria-hidden="true" viewBox="0 0 18 12" width="18" height="12"><path d="M0 6H18" stroke="#536067" stroke-dasharray="6 2 1 2" stroke-width="2"/></svg> service time</li></ul>',
  );
});

it('blockHtml: renders each kind of block', () => {
  const blocks: readonly Block[] = [
    { kind: 'heading', text: 'A & b' },
    { kind: 'text', text: 'Words.' },
    { kind: 'list', title: 'List', items: ['a', 'b'] },
    { kind: 'pairs', title: 'Pairs', pairs: [['a', '1']] },
    { kind: 'code', title: 'Plan', text: 'a: <1>' },
    { kind: 'verdict', outcome: 'passed', title: 'Passed', load: ' at 50 connections', cause: '200/s.', more: '' },
    { kind: 'verdict', outcome: 'failed', title: 'Failed', load: '', cause: '', more: '' },
    { kind: 'tiles', tiles: [{ name: 'Load', value: '50', note: 'concurrent' }] },
    {
      kind: 'table',
      title: 'Table',
      columns: [{ name: 'Name' }, { name: 'Count', numeric: true, explanation: 'How many.' }, { name: 'p95', term: 'p95' }],
      rows: [
        ['a', '1', { text: 'worse', mark: 'failed' }],
        [
          { text: 'part', isPart: true, about: 'of a' },
          { text: '2', about: '1 to 3' },
          { text: 'x', explanation: 'Why.' },
        ],
      ],
      note: 'Note.',
    },
    {
      kind: 'film',
      title: 'Film',
      strips: [
        {
          name: 'Without load',
          pictures: [
            { at: '100 ms', jpeg: 'AAAA' },
            { at: '200 ms', jpeg: null },
          ],
        },
      ],
    },
    {
      kind: 'bars',
      title: 'Bars',
      bars: [
        { name: 'one', value: { middle: 10, least: 5, most: 20 }, text: '10/s' },
        { name: 'two', value: null, text: '–' },
      ],
    },
  ];
  expect(blocks.map((block) => blockHtml(block, 'b1').text)).toEqual([
    '<h3>A &amp; b</h3>',
    '<p>Words.</p>',
    '<h3>List</h3><ul><li>a</li><li>b</li></ul>',
    '<h3>Pairs</h3><dl><dt>a</dt><dd>1</dd></dl>',
    '<h3>Plan</h3><pre><code>a: &lt;1&gt;</code></pre>',
    '<div class="verdict passed"><svg aria-hidden="true" viewBox="0 0 26 26" fill="none" stroke="currentColor" stroke-width="2.4"><circle cx="13" cy="13" r="11.5"/><path d="M7 13.5l4 4 8-9"/></svg><div><p><strong>Passed at 50 connections</strong></p><p>200/s.</p></div></div>',
    '<div class="verdict failed"><svg aria-hidden="true" viewBox="0 0 26 26" fill="none" stroke="currentColor" stroke-width="2.4"><circle cx="13" cy="13" r="11.5"/><path d="M8 8l10 10M18 8L8 18"/></svg><div><p><strong>Failed</strong></p></div></div>',
    '<ul class="tiles"><li><span>Load</span><strong>50</strong><span>concurrent</span></li></ul>',
    '<div class="scroll short"><table><caption>Table</caption><thead><tr><th scope="col">Name</th><th scope="col" class="number">Count</th><th scope="col">p95</th></tr></thead><tbody><tr><th scope="row">a</th><td class="number">1</td><td>worse</td></tr><tr><th scope="row">· part <small>of a</small></th><td class="number">2 <small>1\u00A0to\u00A03</small></td><td>x</td></tr></tbody></table></div><p class="note">Note.</p>',
    '<figure class="half"><figcaption><strong>Film</strong></figcaption><p class="note">Without load</p><ol class="film"><li><img alt="The page after 100\u00A0ms" src="data:image/jpeg;base64,AAAA"><span>100\u00A0ms</span></li><li><span class="blank"></span><span>200\u00A0ms</span></li></ol></figure>',
    '<figure><figcaption><strong>Bars</strong></figcaption><svg role="img" aria-label="Bars. one: 10/s. two: –." viewBox="0 0 680 48" width="680" height="48" font-size="11"><path d="M31.8 0V48" stroke="#c4cbd0"/><text x="25.8" y="17" text-anchor="end" fill="#1b242a">one</text><rect x="31.8" y="7" width="229.1" height="12" fill="#00696a" fill-opacity="0.45" stroke="#00696a"/><path d="M146.4 13H490M146.4 10v6M490 10v6" stroke="#1b242a" fill="none"/><text x="498" y="17" fill="#1b242a">10/s</text><text x="25.8" y="39" text-anchor="end" fill="#1b242a">two</text><text x="37.8" y="39" fill="#4a565d">–</text></svg></figure>',
  ]);
});
