import { describe, expect, it } from 'vitest';
import { planSchema, type PlanInput } from '#core/plan/schema/plan.ts';
import { checkPlan } from '../check.ts';
import { chooseEngineFor } from '../engines/engineFor.ts';
import { exportPlan } from '#core/export/exportPlan.ts';

type StepInput = PlanInput['journey'][number];
type CriterionInput = NonNullable<PlanInput['criteria']>[number];

function streamPlan(step: Partial<StepInput>, changes: Partial<PlanInput> = {}) {
  return planSchema.parse({
    holdfast: 1,
    name: 'test',
    targets: [{ url: 'http://127.0.0.1/' }],
    journey: [{ name: 'page' }, { name: 'events', path: 'events', stream: {}, ...step }],
    load: { model: 'users', stages: [{ users: 1_000, seconds: 60 }] },
    ...changes,
  });
}

const listErrors = (step: Partial<StepInput>, changes: Partial<PlanInput> = {}): string[] =>
  checkPlan(streamPlan(step, changes)).flatMap(({ level, code, path }) => (level === 'error' ? [`${code} ${path}`] : []));

const STAMPED: StepInput['stream'] = { sentAt: { from: 'data', path: '$.at' }, number: { from: 'id' } };

describe('a stream in a plan', () => {
  it.each<[string, Partial<StepInput>]>([
    ['of events', { stream: STAMPED }],
    ['for a time', { stream: { seconds: 5 } }],
    ['beside the journey, once', { stream: { beside: true }, once: true }],
    ['of messages', { stream: { kind: 'websocket', send: { messages: ['hello'], everySeconds: 5 }, protocols: ['chat'] } }],
    ['with a value of a header', { captures: [{ from: 'header', as: 'node', name: 'X-Node' }] }],
  ])('is valid with %s, and sent by the native driver', (_name, step) => {
    expect(listErrors(step)).toEqual([]);
    expect(chooseEngineFor(streamPlan(step))).toBe('native');
  });

  it.each<[string, Partial<StepInput>, string]>([
    ['checks', { checks: [{ kind: 'contains', text: 'x' }] }, 'NOT_OF_A_STREAM journey[1].checks'],
    ['captures of its body', { captures: [{ from: 'json', as: 'x', path: '$.x' }] }, 'NOT_OF_A_STREAM journey[1].captures'],
    ['redirects', { redirects: { follow: true } }, 'NOT_OF_A_STREAM journey[1].redirects'],
    ['a pause', { thinkTime: { kind: 'fixed', seconds: 1 } }, 'NOT_OF_A_STREAM journey[1].thinkTime'],
    ['a time budget', { budgetMs: 500 }, 'NOT_OF_A_STREAM journey[1].budgetMs'],
    ['a time, beside the journey', { stream: { beside: true, seconds: 5 } }, 'BESIDE_HAS_NO_TIME journey[1].stream.seconds'],
    ['a path that is none', { stream: { number: { from: 'data', path: 'n' } } }, 'BAD_JSON_PATH journey[1].stream.number.path'],
    ['messages over an event stream', { stream: { send: { messages: ['x'] } } }, 'ONLY_OF_A_WEBSOCKET journey[1].stream.send'],
    ['an id of messages', { stream: { kind: 'websocket', number: { from: 'id' } } }, 'MESSAGE_WITHOUT_ID journey[1].stream.number.from'],
  ])('cannot have %s', (_name, step, code) => {
    expect(listErrors(step)).toEqual([code]);
  });

  it('requires HTTP/1.1 for WebSocket messages', () => {
    expect(listErrors({ stream: { kind: 'websocket' } }, { connections: { protocol: 'h2' } })).toEqual([
      'WEBSOCKET_OVER_HTTP2 journey[1].stream.kind',
    ]);
  });

  it('cannot be exported to other tools', () => {
    for (const kind of ['k6', 'artillery', 'curl', 'ab'] as const) expect(exportPlan(kind, streamPlan({})).kind).toBe('refused');
    expect(listErrors({}, { engine: 'k6' })).toContain('K6_HOLDS_NO_STREAM journey[1].stream');
  });
});

describe('a pass criterion about streams', () => {
  it.each<[string, StepInput['stream'], CriterionInput, string[]]>([
    ['the delay of stamped events', STAMPED, { kind: 'responseTime', of: 'events', percentile: 95, maxMs: 1 }, []],
    ['missed events that are numbered', STAMPED, { kind: 'errors', of: 'events', maxShare: 0.01 }, []],
    ['cut streams', {}, { kind: 'errors', of: 'streams', maxShare: 0.01 }, []],
    ['a delay that nothing says', {}, { kind: 'responseTime', of: 'events', percentile: 95, maxMs: 1 }, ['EVENTS_NOT_STAMPED']],
    ['missed events without numbers', {}, { kind: 'errors', of: 'events', maxShare: 0.01 }, ['EVENTS_NOT_NUMBERED']],
    ['a time of streams', {}, { kind: 'apdex', of: 'streams', thresholdMs: 1, min: 0.9 }, ['STREAMS_HAVE_NO_TIME']],
    ['another step', STAMPED, { kind: 'errors', of: 'streams', step: 'page', maxShare: 0.01 }, ['NO_STREAM']],
  ])('%s', (_name, stream, criterion, codes) => {
    expect(listErrors({ stream }, { criteria: [criterion] })).toEqual(codes.map((code) => `${code} criteria[0].of`));
  });
});
