import { lineFromAgentSchema, lineToAgentSchema } from '#contract/agent/frames.ts';
import { replyFrameSchema, requestFrameSchema } from '#contract/rpc/frames.ts';
import { LineReader } from '#engine/lineReader.ts';
import { K6Log } from '#engine/k6/k6Process.ts';
import { mainModule } from '#core/k6/mainModule.ts';
import { importedRun, type MetricSeries, PROMETHEUS_METRICS } from '#core/k6/prometheus/importedRun.ts';
import { prometheusResponseSchema, readSeries } from '#core/k6/prometheus/response.ts';
import { K6SampleReader } from '#core/k6/sampleReader.ts';
import { requestLines } from '#core/k6/testing/k6Lines.ts';
import { decodeWindow, encodeWindow } from '#core/measurement/windowCodec.ts';
import { planWith } from '#core/testing/plans.ts';
import { windowWith } from '#core/testing/windows.ts';
import { realisticWindow } from '#core/testing/realistic.ts';
import { CORPUS } from '#framer/testing/corpus.ts';
import { ResponseFramer } from '#framer/framer.ts';
import { EventParser } from '#workers/streams/eventParser.ts';
import { EventNumbers, EventReader } from '#workers/streams/eventReader.ts';
import { streamSchema } from '#core/plan/schema/step.ts';
import { planHeaders } from '#framer/refusals.ts';
import { bytesOf, assertPromise, type Subject } from '../subject.ts';

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const JSONS = ['{', '}', '[', ']', ',', ':', '"', '\\', 'null', '"__proto__":', '1e999', '\n'];

const HEADER_PLAN = planHeaders(['server', 'set-cookie']);
const LIMITS = { limitHeadBytes: 4_096, limitBodyBytes: 1_048_576 };

/** Returns as one text the result of the framer for bytes in two chunks. */
function frameInTwo(bytes: Buffer, cut: number): string {
  const framer = new ResponseFramer(HEADER_PLAN, LIMITS);
  let reportedText = '';
  let body = 0;
  framer.onBody = (_buffer, start, end) => {
    body += end - start;
  };
  framer.begin(false);
  let position = 0;
  while (position < bytes.length) {
    if (framer.complete) framer.begin(false);
    const before = position;
    position = framer.feed(bytes, position, position < cut ? cut : bytes.length);
    if (framer.refusal !== null) return `${reportedText}${body} refused ${framer.refusal}`;
    assertPromise(position > before || framer.complete, 'the framer does not go on');
    if (!framer.complete) continue;
    reportedText += `${framer.status} ${framer.minorVersion} ${framer.interimResponses} ${framer.wanted.join()} ${body};`;
    body = 0;
    if (!framer.keepAlive) return reportedText;
  }
  framer.finish();
  return `${reportedText}${body} ${framer.complete ? framer.status : 'open'} ${framer.refusal ?? ''}`;
}

const EVENT_BYTES = 64;

/** Returns as one text the result of the parser for bytes in two chunks, including its events. */
function eventsIn(bytes: Buffer, cut: number): string {
  let reportedText = '';
  const reader = new EventReader(streamSchema.parse({ sentAt: { from: 'data', path: '$.at' }, number: { from: 'id' } }));
  const numbers = new EventNumbers();
  const event = (id: string, data: string): void => {
    assertPromise(id.length + data.length <= 2 * bytes.length, 'an event is longer than its stream');
    const { sentUs, number } = reader.read(id, data);
    assertPromise(sentUs === null || Number.isFinite(sentUs), 'an instant is none');
    reportedText += `;${id} ${data} ${sentUs} ${number === null ? '' : numbers.take(number).missed}`;
  };
  const parser = new EventParser({ event }, true, EVENT_BYTES);
  const isTaken = parser.feed(bytes, 0, cut) && parser.feed(bytes, cut, bytes.length);
  return isTaken ? `${reportedText} ${parser.lastId} ${parser.retryMs}` : 'too large';
}

const lines = requestLines({ endMs: 1_700_000_000_000, step: '0', status: 200 }).join('\n');
const PROMETHEUS_REPLY = JSON.stringify({
  status: 'success',
  data: {
    resultType: 'matrix',
    result: [
      {
        metric: { __name__: 'x', holdfast_step: '0', status: '200' },
        values: [
          [1_700_000_000, '1'],
          [1_700_000_005, '9'],
        ],
        histograms: [[1_700_000_000, { count: '2', sum: '3', buckets: [[0, '0.1', '0.2', '2']] }]],
      },
    ],
  },
});
const plan = planWith();

export const WIRE: readonly Subject[] = [
  {
    name: 'framer',
    seeds: Object.values(CORPUS),
    tokens: [
      '\r\n',
      '\r',
      '\n',
      ': ',
      'HTTP/1.1 200 OK\r\n',
      'HTTP/1.0 ',
      'Content-Length: 3\r\n',
      'Transfer-Encoding: chunked\r\n',
      '0\r\n\r\n',
      '5\r\nhello\r\n',
      ';a="b"',
      '\0',
      '\xff',
      '100 Continue\r\n\r\n',
      'Connection: close\r\n',
      ' ',
      '\t',
    ],
    inputs: 10_000_000,
    read(input) {
      const bytes = bytesOf(input);
      const whole = frameInTwo(bytes, 0);
      // For short inputs, every split is tried. For long inputs, only some splits are tried, which depend on the input.
      if (bytes.length < 12)
        for (let cut = 1; cut < bytes.length; cut += 1) assertPromise(frameInTwo(bytes, cut) === whole, `cut at ${cut} the result differs`);
      else {
        const cut = 1 + (((bytes[bytes.length >> 1] ?? 0) * 31 + bytes.length * 7) % (bytes.length - 1));
        assertPromise(frameInTwo(bytes, cut) === whole, `cut at ${cut} the result differs`);
      }
      return whole;
    },
  },
  {
    name: 'event streams',
    seeds: [
      'id: 1\nevent: score\ndata: {"at":1700000000000}\n\n',
      ': hello\r\nretry: 250\r\ndata: a\r\ndata: b\r\n\r\n',
      '\xef\xbb\xbfdata\r\rid\n\n',
    ],
    tokens: ['\n', '\r', '\r\n', '\n\n', 'data:', 'data: ', 'id: ', 'retry: 9', 'event:', ':', '\0', '\xff', '{"at":', '1e999', '}'],
    inputs: 10_000_000,
    read(input) {
      const bytes = bytesOf(input);
      const whole = eventsIn(bytes, 0);
      const cut = bytes.length < 2 ? 0 : 1 + (((bytes[bytes.length >> 1] ?? 0) * 31 + bytes.length * 7) % (bytes.length - 1));
      assertPromise(eventsIn(bytes, cut) === whole, `cut at ${cut} the result differs`);
      return whole;
    },
  },
  {
    name: 'window codec',
    seeds: [
      windowWith(),
      windowWith({ ok: [{ count: 3, ms: 20 }], failed: { timeout: 2 }, overloadedBy: ['steal'] }),
      windowWith({ second: 9, notStarted: { target: 2 } }),
      realisticWindow(20),
    ].map((window) => latin1(encodeWindow(window))),
    tokens: ['\0', '\x01', '\x7f', '\x80', '\xff', '\xff\xff\xff\xff\x0f', '\x07', '\x06', '\x05', '__proto__', '\x09__proto__\x01'],
    inputs: 10_000_000,
    read(input) {
      const window = decodeWindow(bytesOf(input));
      const again = encodeWindow(window);
      const once = encodeWindow(decodeWindow(again));
      assertPromise(Buffer.compare(again, once) === 0, 'a window is another one when it is read back');
      return window;
    },
  },
  {
    name: 'k6 samples',
    seeds: [
      `${lines}\n`,
      '{"type":"Metric","data":{"name":"x"},"metric":"x"}\n{"metric":"vus","type":"Point","data":{"time":"2026-01-01T00:00:00Z","value":1,"tags":{}}}\n',
    ],
    tokens: [...JSONS, '{"metric":"', '"value":', '"data":{"time":"', 'http_reqs', 'http_req_receiving'],
    read(input) {
      let points = 0;
      const reader = new K6SampleReader({ takeRequest: () => (points += 1), takePoint: () => (points += 1) });
      reader.push(input.slice(0, input.length >> 1));
      reader.push(input.slice(input.length >> 1));
      reader.end();
      return points;
    },
  },
  { name: 'k6 log', seeds: ['{"level":"warning","msg":"x"}', 'panic: x'], tokens: JSONS, read: (input) => new K6Log().take(input) },
  {
    name: 'k6 main module',
    seeds: ["export default function () {}\nexport { x as y } from './z.js';\nexport const a = 1, b = 2;\nexport async function c() {}\n"],
    tokens: ['export ', 'default ', '{', '}', ',', ' as ', '*', '//', '/*', '*/', '`', '\n'],
    read: (input) => mainModule(input, './a.js'),
  },
  {
    name: 'k6 in Prometheus',
    seeds: [PROMETHEUS_REPLY],
    tokens: JSONS,
    read(input) {
      let value: unknown = null;
      try {
        value = JSON.parse(input);
      } catch {
        return null;
      }
      const response = prometheusResponseSchema.safeParse(value);
      if (!response.success) return null;
      const series = readSeries(response.data);
      const metrics = Object.fromEntries(PROMETHEUS_METRICS.map((metric) => [metric, series])) as unknown as MetricSeries;
      return importedRun(plan, metrics);
    },
  },
  {
    name: 'lines of an agent',
    seeds: [
      '{"type":"message","number":1,"message":{"type":"clock","id":1,"nowMs":2}}\n{"type":"received","number":3}\n',
      '{"type":"hello","protocol":6}\n{"type":"alive"}\n',
      '{"type":"message","number":2,"message":{"type":"stage","stage":0,"second":1.5}}\n',
    ],
    tokens: JSONS,
    isDocumented: (thrown) => thrown instanceof RangeError && thrown.message.startsWith('A line is longer'),
    read(input) {
      const reportedTexts = new LineReader(1_000_000).take(bytesOf(input));
      // The conversation ends at the first invalid line.
      for (const line of reportedTexts)
        try {
          const value: unknown = JSON.parse(line);
          if (!lineFromAgentSchema.safeParse(value).success && !lineToAgentSchema.safeParse(value).success) return reportedTexts;
        } catch (thrown) {
          if (!(thrown instanceof SyntaxError)) throw thrown;
          return reportedTexts;
        }
      return reportedTexts;
    },
  },
  {
    name: 'RPC frames',
    seeds: [
      '{"type":"call","id":1,"method":"runs.start","input":{}}',
      '{"type":"item","id":2,"item":[1]}',
      '{"type":"error","id":3,"problem":{"code":"A","message":"b","hint":"c"}}',
    ],
    tokens: JSONS,
    read(input) {
      try {
        const value: unknown = JSON.parse(input);
        return [requestFrameSchema.safeParse(value), replyFrameSchema.safeParse(value)];
      } catch (thrown) {
        if (!(thrown instanceof SyntaxError)) throw thrown;
        return null;
      }
    },
  },
];
