import { describe, expect, it } from 'vitest';
import { planSchema, type PlanInput } from '#core/plan/schema/plan.ts';
import { EXPORT_KINDS, type ExportKind } from './exported.ts';
import { exportPlan } from './exportPlan.ts';
import { playK6 } from './testing/k6StandIn.ts';
import { brief, made } from './testing/madeScript.ts';

const base64 = (login: string): string => `Basic ${Buffer.from(login, 'utf8').toString('base64')}`;

function exported(kind: ExportKind, given: Partial<PlanInput>) {
  const plan = planSchema.parse({
    holdfast: 1,
    name: 'P',
    targets: [{ url: 'http://a.example/app/' }],
    journey: [{ name: 'page' }],
    load: kind === 'ab' ? { model: 'connections', stages: [{ connections: 5, requests: 100 }] } : brief,
    ...given,
  });
  const result = exportPlan(kind, plan);
  return result.kind === 'refused' ? result.issues.map(({ path, message, hint }) => `${path}: ${message} ${hint}`) : result.exported;
}

const textOf = (kind: ExportKind, given: Partial<PlanInput>): string => {
  const result = exported(kind, given);
  if (Array.isArray(result)) throw new Error(result.join('\n'));
  return 'text' in result ? result.text : '';
};

const SECRET = { variables: { pw: { kind: 'secret', secret: 'env:PW' } } } as const;
const ON_STEP: Partial<PlanInput> = { journey: [{ name: 'page', auth: { user: 'ada', password: '{{pw}}' } }], ...SECRET };
const ON_TARGET: Partial<PlanInput> = {
  targets: [{ url: 'http://a.example/app/', auth: { user: 'a{{b', password: { secret: 'env:PW' } }, headers: { authorization: 'old' } }],
};

describe('exports of auth:', () => {
  it.each<[ExportKind, string, string]>([
    ['curl', 'curl -u ada:"$PW" http://a.example/app/\n', 'curl -u \'a{{b:\'"$PW" http://a.example/app/\n'],
    ['ab', '-A ada:"$PW"', `-A 'a{{b:'"$PW"`],
    ['artillery', 'auth:\n            user: ada\n            pass: "{{ $processEnvironment.PW }}"\n', ''],
  ])('%s has an option for name and password', (kind, ofStep, ofTarget) => {
    expect(textOf(kind, ON_STEP)).toContain(ofStep);
    if (ofTarget !== '') expect(textOf(kind, ON_TARGET)).toContain(ofTarget);
    if (ofTarget !== '') expect(textOf(kind, ON_TARGET)).not.toContain('old');
  });

  it('k6 encodes the name and the password, and the Authorization header of the step takes precedence', () => {
    const { script } = made({
      ...ON_TARGET,
      ...SECRET,
      namedTargets: { api: { url: 'http://b.example/', auth: { user: 'näme', password: 'x' } } },
      journey: [
        { name: 'target' },
        { name: 'step', auth: { user: 'ada', password: '{{pw}}' } },
        { name: 'header', auth: { user: 'ada', password: 'x' }, headers: { authorization: 'Own' } },
        { name: 'named', target: 'api' },
      ],
      load: brief,
    });
    const { requests, errors } = playK6(script, { environment: { PW: 'hush' } });
    expect(errors).toEqual([]);
    expect(requests.map(({ headers }) => headers['Authorization'])).toEqual([
      base64('a{{b:hush'),
      base64('ada:hush'),
      'Own',
      base64('näme:x'),
    ]);
  });
});

describe('exports of a capture with [*]:', () => {
  const journey: PlanInput['journey'] = [
    { name: 'list', captures: [{ from: 'json', as: 'id', path: '$.items[*].id', which: 'last' }] },
    { name: 'one', path: '/{{id}}' },
  ];

  it('k6 takes the values as Holdfast does', () => {
    const { requests, errors } = playK6(made({ journey, load: brief }).script, {
      server: () => ({ body: '{"items":[{"id":1},{"x":2},{"id":"b"}]}' }),
    });
    expect([errors, requests.map(({ url }) => new URL(url).pathname)]).toEqual([[], ['/shop/', '/b']]);
  });

  it('Artillery takes a random value, and a choice by order is refused', () => {
    const random = journey.map((step) => ({
      ...step,
      captures: step.captures?.map((capture) => ({ ...capture, which: 'random' as const })),
    }));
    expect(textOf('artillery', { journey: random as PlanInput['journey'] })).toContain('json: $.items[*].id');
    expect(exported('artillery', { journey })).toEqual([expect.stringContaining('one random item')]);
  });
});

describe('exports of bodyFile', () => {
  const given: Partial<PlanInput> = { journey: [{ name: 'up', method: 'PUT', bodyFile: 'big file.bin' }] };

  it('name the file in commands, and open it in k6', () => {
    expect(textOf('curl', given)).toContain("--data-binary '@big file.bin'");
    expect(textOf('ab', given)).toContain("-u 'big file.bin'");
    expect(textOf('k6', given)).toContain("open('./uploads/1-big_file.bin', 'b')");
    expect(exported('artillery', given)).toEqual([
      'journey[0].bodyFile: Artillery sends a file only as a part of a form. Export it for k6, curl or ab, or send the file as a part of multipart.',
    ]);
  });
});

describe('exports of gate:', () => {
  const users: PlanInput['load'] = { model: 'users', stages: [{ users: 3, seconds: 20 }] };
  const journey: PlanInput['journey'] = [
    { name: 'come' },
    { name: 'start', gate: 'ten' },
    { name: 'rest', thinkTime: { kind: 'fixed', seconds: 2 } },
  ];
  const play = (late: 'continue' | 'leave', latencySeconds: number, load: PlanInput['load'] = users) => {
    const { script, notes } = made({ bells: { ten: { atSeconds: 10, late } }, journey, load });
    const { requests, errors } = playK6(script, { latencySeconds });
    expect(errors).toEqual([]);
    return { notes, starts: requests.filter(({ tags }) => tags['name'] === 'start').map(({ atSecond }) => atSecond) };
  };

  it('k6 lets each user wait for the bell once, and the notes explain the difference', () => {
    const { notes, starts } = play('leave', 0.5);
    expect(starts.slice(0, 1)).toEqual([10]);
    expect(starts.filter((second) => second === 10)).toHaveLength(3);
    expect(starts.length).toBeGreaterThan(6);
    expect(notes.join('\n')).toContain('k6 waits for a bell by the clock of its machine');
  });

  it('k6 ends the journey of a user who is late, or lets it continue', () => {
    const arrivals: PlanInput['load'] = { model: 'arrivals', stages: [{ kind: 'count', arrivals: 4, seconds: 16 }] };
    expect(play('leave', 1, arrivals).starts).toEqual([10, 10]);
    expect(play('continue', 1, arrivals).starts).toHaveLength(4);
  });

  it.each(['artillery', 'curl', 'ab'] as const)('%s refuses a gate and suggests an alternative', (kind) => {
    expect(exported(kind, { bells: { ten: { atSeconds: 10 } }, journey: [{ name: 'start', gate: 'ten' }] })).toContain(
      'journey[0].gate: Only k6 scripts wait for a bell. Export it for k6, or without gate.',
    );
  });
});

describe('exports of reload and renew:', () => {
  it.each(EXPORT_KINDS)('%s refuses both and suggests an alternative', (kind) => {
    expect(exported(kind, { journey: [{ name: 'page', reload: {}, once: true, renew: { onStatus: [401] } }] })).toEqual([
      'journey[0].reload: Exports do not repeat a step after a failure. Run the plan with Holdfast, or export it without reload: each failure then counts at once.',
      'journey[0].renew: Exports do not log in again within a journey. Export it without renew, with a load that ends before a login expires.',
    ]);
  });
});

describe('exports of a duet', () => {
  const variants = ['base', 'head'] as [string, string];
  const journey: PlanInput['journey'] = [{ name: 'page · base' }, { name: 'page · head' }];
  const flow: PlanInput['flow'] = [{ choose: journey.map(({ name }) => ({ weight: 1, flow: [name] })) }];

  it.each(['k6', 'artillery', 'curl'] as const)('%s has a note that the variants do not take turns', (kind) => {
    const note = 'The duet is left out: “base” and “head” do not take turns, and are not compared. Run it with holdfast series.';
    const exportNotes = (given: Partial<PlanInput>): unknown => exported(kind, { journey, flow, ...given });
    expect(exportNotes({ duet: { variants, slotMs: 100 } })).toMatchObject({ notes: expect.arrayContaining([note]) });
    expect(exportNotes({})).not.toMatchObject({ notes: expect.arrayContaining([note]) });
  });

  it('ab refuses two requests', () => {
    expect(exported('ab', { journey, flow, duet: { variants, slotMs: 100 } })).toEqual(expect.arrayContaining([expect.any(String)]));
  });
});
