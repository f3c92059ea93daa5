import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LABS } from '#lab/registry.ts';
import { looseEnds, playK6 } from '#core/export/testing/k6StandIn.ts';
import { k6Script } from '#core/export/k6/k6Script.ts';
import { columnsAsked } from '#core/work/feeds/rows.ts';
import { plannedSeconds } from '#core/work/load/planned.ts';
import { checkPlan } from '#core/review/check.ts';
import { targetSchema } from '#core/plan/schema/plan.ts';
import { uploadFoldersOf } from '#core/work/journey/uploads.ts';
import { leastFor } from '#core/review/checks/objectives.ts';
import { standIns } from '#core/presets/pageList.ts';
import type { Description } from '#core/review/description.ts';
import { describePlan } from '#core/review/describe.ts';
import { buildPlan, labAddressesOf } from '#core/presets/build.ts';
import { askedQuestions } from '#core/presets/conditions.ts';
import { labAnswersOf, type LabPlaces } from '#core/presets/lab.ts';
import type { BuiltPlan, Preset } from '#core/presets/schema.ts';
import { plannedSeriesSeconds } from '#core/series/check.ts';
import { formatCount } from '#core/base/units.ts';
import { readPresets } from './source.ts';

const directory = fileURLToPath(new URL('../../../presets/', import.meta.url));
const targets = [targetSchema.parse({ url: 'http://127.0.0.1:8080/' })];
const { presets, issues } = await readPresets(directory);

function presetOf(id: string): Preset {
  const preset = presets.find((candidate) => candidate.id === id);
  if (!preset) throw new Error(`There is no preset ${id}.`);
  return preset;
}

function build(id: string, answers: Record<string, number | string> = {}): BuiltPlan & { readonly description: Description | null } {
  const preset = presetOf(id);
  const built = buildPlan(preset, { ...answers, ...standIns(preset, answers) }, targets);
  return { ...built, description: built.plan && describePlan(built.plan) };
}

describe('every preset', () => {
  it('is read without a problem and is named like its file', async () => {
    const files = (await readdir(directory)).filter((name) => name.endsWith('.yaml'));
    expect(issues).toEqual([]);
    expect(presets.map(({ id }) => `${id}.yaml`)).toEqual(files.sort());
  });

  it.each(presets.map(({ id }) => id))('%s makes a valid plan of its default answers', (id) => {
    const { plan, issues: problems, description, explanation } = build(id);
    expect(problems.filter(({ level }) => level === 'error')).toEqual([]);
    if (!plan) throw new Error('no plan');
    expect(checkPlan(plan).filter(({ level }) => level === 'error')).toEqual([]);
    expect(plan.preset).toBe(id);
    expect(plan.targets).toEqual(targets);
    expect(plan.exercises.length).toBeGreaterThan(0);
    expect(plan.omits.length).toBeGreaterThan(0);
    expect(description?.sentences.length).toBeGreaterThan(0);
    // Nothing is left of the template.
    expect(JSON.stringify([plan, explanation])).not.toMatch(/(?<!\{)\{[a-z][A-Za-z]*\}|"=/);
  });

  it.each(['read', 'mobile'])('claims no more readers than a batch has: %s', (test) => {
    for (const batch of ['both', 'small', 'large']) {
      const { plan } = build('site-with-pages', { test, batch });
      const most = Math.max(...(plan?.load.stages ?? []).map((stage) => ('users' in stage ? stage.users : 0)));
      expect(most).toBe(batch === 'small' ? 500 : 1_000);
      expect(plan?.claim).toBe(`up to ${formatCount(most)} readers at the same time`);
      expect(plan?.name).toContain(`Up to ${formatCount(most)} readers`);
    }
  });

  it.each([
    ['site-with-pages', { test: 'read' }],
    ['site-with-pages', { test: 'mobile' }],
    ['site-with-pages', { test: 'practice' }],
    ['scoreboard', {}],
  ])('lets visitors return over https, and changes nothing without: %s %j', (id, kind) => {
    const over = (url: string) => {
      const preset = presetOf(id);
      return buildPlan(preset, { ...kind, ...standIns(preset, kind) }, [targetSchema.parse({ url })]).plan?.tls;
    };
    expect(over('https://school.test/')).toEqual({ verify: true, resume: 0.4 });
    expect(over('http://school.test/')).toEqual({ verify: true });
  });

  describe('a site with pages', () => {
    const journeyOf = (answers: Record<string, string>, cookie = 'sessionid=x') => {
      const preset = presetOf('site-with-pages');
      const { plan } = buildPlan(preset, answers, [targetSchema.parse({ url: 'http://school.test/', cookie })]);
      return { cookie: plan?.targets[0]?.cookie, journey: plan?.journey ?? [] };
    };

    it('is read without the shared login where each reader logs in', () => {
      expect(journeyOf({ test: 'read' }).cookie).toBeUndefined();
      expect(journeyOf({ test: 'practice' }).cookie).toBeUndefined();
      expect(journeyOf({ test: 'read', login: 'none' }).cookie).toBe('sessionid=x');
      expect(journeyOf({ test: 'cache' }).cookie).toBe('sessionid=x');
    });

    it('begins with the login, and shows the first page after it', () => {
      expect(journeyOf({ test: 'read', pages: '/a' }).journey.map(({ name }) => name)).toEqual(['login page', 'log in', 'start page', 'a']);
      expect(journeyOf({ test: 'read', pages: '/a', login: 'none' }).journey.map(({ name }) => name)).toEqual(['start page', 'a']);
    });

    it('names no two steps alike, whatever pages were found', () => {
      const { journey } = journeyOf({ test: 'read', pages: '/ /x/start%20page /y/log%20in /lessons/1/ /lessons/1' });
      expect(journey.map(({ name, path }) => [name, path])).toEqual([
        ['login page', '/login'],
        ['log in', '{{loginAddress}}'],
        ['start page', ''],
        ['start%20page', '/x/start%20page'],
        ['log%20in', '/y/log%20in'],
        ['1', '/lessons/1/'],
        ['1 (2)', '/lessons/1'],
      ]);
    });
  });

  it('says for whom a contest holds', () => {
    expect(build('cms-contest').plan?.claim).toBe('750 participants');
  });

  it.each(presets.flatMap(({ id, lab }) => (lab === undefined ? [] : [[id, lab] as const])))('%s names a practice server', (_id, lab) => {
    expect(LABS.map(({ name }) => name)).toContain(lab);
  });

  it.each(presets.map(({ id }) => id))('%s explains a wrong answer and makes no plan of it', (id) => {
    const question = presets.find((preset) => preset.id === id)?.questions.find(({ kind }) => kind === 'number');
    if (question?.kind !== 'number') throw new Error('no number is asked');
    const built = build(id, { [question.id]: question.max + 1 });
    expect(built.plan).toBeNull();
    expect(built.issues.some(({ hint, message }) => hint !== '' && message !== '')).toBe(true);
  });
});

const LAB: LabPlaces = {
  folder: '/tmp/practice',
  control: 'http://127.0.0.1:9/',
  addresses: [{ label: 'Oracle', url: 'http://127.0.0.1:8123/', help: '' }],
};

/** The answers that the practice server calls for, of the questions that are asked. */
function answeredForLab(id: string, answers: Record<string, number | string> = {}): Record<string, number | string> {
  const preset = presetOf(id);
  const all = { ...labAnswersOf(preset, LAB), ...answers };
  const asked = new Set(askedQuestions(preset, all).map((question) => question.id));
  return Object.fromEntries(Object.entries(all).filter(([question]) => asked.has(question)));
}

/** Each test of each preset that asks which one. */
const tests = presets.flatMap(({ id, questions }) => {
  const test = questions.find((question) => question.id === 'test');
  return test?.kind === 'choice' ? test.options.map(({ value }) => [id, value] as const) : [[id, ''] as const];
});

/** The bursts of the report take half an hour on a practice server, which their label says. */
const FOR_HOURS = '(hours)';

/** Each test of each preset as it is proposed, and with each other answer to one of the choices that it asks for. */
const variations = tests.flatMap(([id, test]) => {
  const proposed: Record<string, number | string> = test === '' ? {} : { test };
  const filled = answeredForLab(id, proposed);
  const others = askedQuestions(presetOf(id), filled).flatMap((question) =>
    question.kind !== 'choice' || question.id === 'test' || Object.hasOwn(presetOf(id).labAnswers, question.id)
      ? []
      : question.options
          .filter(({ value, label }) => value !== question.default && !label.endsWith(FOR_HOURS))
          .map(({ value }) => ({ ...proposed, [question.id]: value })),
  );
  return [proposed, ...others].map((answers) => [id, answers] as const);
});

/** What of the shipped presets no script of k6 can stand for, with the reason that it is refused with. */
const NOT_IN_K6: Readonly<Record<string, string>> = { 'ohmage read': 'reads a list page by page' };

describe('every test of every preset', () => {
  it.each(variations)('can be told to k6, unless it is listed with a reason: %s %j', (id, given) => {
    const { plan } = build(id, answeredForLab(id, given));
    if (plan === null) throw new Error('no plan');
    const uploads = Object.fromEntries(uploadFoldersOf(plan).map((folder) => [`${folder}/one.cpp`, 'YQ==']));
    const feeds = Object.fromEntries(
      Object.entries(plan.feeds ?? {}).map(([name, { order }]) => {
        const columns = [...columnsAsked(plan, name)];
        return [name, { columns, rows: Array.from({ length: 1_000 }, (_, row) => columns.map((column) => `${column}${row}`)), order }];
      }),
    );
    const reason = NOT_IN_K6[`${id} ${given['test'] ?? ''}`];
    if (reason !== undefined) return expect(() => k6Script(plan, { feeds, uploads })).toThrow(reason);
    const { script, files, environment } = k6Script(plan, { feeds, uploads });
    expect(looseEnds(script)).toEqual({ missing: [], idle: [] });
    const { requests, options, errors } = playK6(script, {
      onlyOne: true,
      environment: Object.fromEntries(environment.map((name) => [name, 'x'])),
      files: Object.fromEntries(files.map(({ path, content }) => [path, content])),
      server: () => ({ cookies: ['_xsrf=1'] }),
    });
    expect(errors).toEqual([]);
    expect(requests.length).toBeGreaterThanOrEqual(Object.keys(options['scenarios'] ?? {}).length);
  });
});

describe('the scale of a preset', () => {
  it.each(tests)('is that of the real thing where nobody asks for another: %s %s', (id, test) => {
    const { plan, description } = build(id, test === '' ? {} : { test });
    expect(plan).not.toBeNull();
    const scale = presets.find((preset) => preset.id === id)?.questions.find((question) => question.id === 'scale');
    if (scale !== undefined) expect(scale.default).toBe(1);
    expect(description?.warnings).toEqual([]);
  });

  it.each(tests)('takes less than two minutes a run with the answers for the practice server, and can decide: %s %s', (id, test) => {
    const { issues: problems, description } = build(id, answeredForLab(id, test === '' ? {} : { test }));
    expect(problems).toEqual([]);
    expect(description?.warnings).toEqual([]);
    expect(description?.durationSeconds ?? 0).toBeLessThan(120);
  });

  // The rest is for what is owed at the end of each run, and for getting ready.
  it.each(variations)(
    'leaves a quarter of a minute of two when all runs of a series are made on the practice server: %s %j',
    (id, given) => {
      const preset = presetOf(id);
      const answers = answeredForLab(id, given);
      const addresses = Math.max(1, labAddressesOf(preset, answers).length);
      const places = Array.from({ length: addresses }, (_, index) => targetSchema.parse({ url: `http://127.0.0.1:${8080 + index}/` }));
      const { plan, series, issues: problems } = buildPlan(preset, { ...answers, ...standIns(preset, answers) }, places);
      expect(problems).toEqual([]);
      if (plan === null) throw new Error('no plan');
      const seconds = series === null ? plannedSeconds(plan) : plannedSeriesSeconds({ plan, series });
      // Where a number of requests ends it, nothing can be planned.
      if (seconds === null) expect(JSON.stringify(plan.load)).toContain('"requests"');
      else expect(seconds).toBeLessThanOrEqual(105);
    },
  );

  it('tries the unknown servers side by side, and the bursts on one server and on three', () => {
    expect(variations.length).toBeGreaterThan(40);
    const bursts = build('node-vs-gunicorn', answeredForLab('node-vs-gunicorn', { test: 'bursts' }));
    const sizes = bursts.plan?.load.stages.flatMap((stage) => ('arrivals' in stage ? [stage.arrivals] : []));
    // One answers 13 ± 1 of them, three 39 ± 3: of each there is one that is answered and one that is not.
    expect(sizes).toEqual([12, 27, 42]);
    // 42 requests of half a second, less the second in which they come and half of one; a part of it where other servers are asked in between.
    const lastPause = (answers: Record<string, string>): unknown =>
      build('node-vs-gunicorn', answeredForLab('node-vs-gunicorn', { test: 'bursts', ...answers })).plan?.load.stages.at(-1);
    expect(lastPause({})).toMatchObject({ kind: 'pause', seconds: 7.5 });
    for (const servers of ['single', 'nodes', 'node', 'gunicorn', 'three'])
      expect(lastPause({ servers })).toMatchObject({ kind: 'pause', seconds: 20.5 });
    expect(lastPause({ where: 'own' })).toMatchObject({ kind: 'pause', seconds: 20.5 });
  });

  it('keeps the spikes of the report where nobody asks for shorter ones', () => {
    const seconds = (id: string, answers: Record<string, number | string>): (number | null)[] =>
      build(id, answers).description?.profile.map(({ fromSecond, toSecond }) => (toSecond === null ? null : toSecond - fromSecond)) ?? [];
    expect(seconds('node-vs-gunicorn', { test: 'spike' }).map((value) => value?.toFixed(2))).toEqual(
      [60, 120, 120, 1.96, 1.96, 1.96, 60, 180, 1.96, 60, 30].map((value) => value.toFixed(2)),
    );
    expect(seconds('node-vs-gunicorn', { test: 'characterize' })).toEqual([10, 60, 20]);
  });

  it.each(presets.map(({ id }) => id))('says of %s how long its first test takes', (id) => {
    const { description, series } = build(id);
    const minutes = ((description?.durationSeconds ?? NaN) * (series?.variants.length ?? 1)) / 60;
    const told = presets.find((preset) => preset.id === id)?.takesMinutes;
    expect(told).toBe(Math.ceil(minutes));
  });

  it('fills in where the practice server keeps its accounts, its oracle and its figures', () => {
    expect(answeredForLab('site-with-pages', { test: 'practice' })).toMatchObject({
      accounts: '/tmp/practice/accounts.csv',
      oracle: '127.0.0.1:8123',
      scale: 25,
    });
    expect(answeredForLab('cms-contest', { test: 'soak', watch: 'address' })).toMatchObject({ watchUrl: 'http://127.0.0.1:9/gauges' });
    expect(answeredForLab('cms-contest', { test: 'rehearsal' })['accountsPassword']).toBe('file:/tmp/practice/password');
  });
});

describe('a class of 30', () => {
  const atMost = (id: string, answers: Record<string, number | string>): number =>
    Math.max(...(build(id, answers).plan?.load.stages.map((stage) => ('users' in stage ? stage.users : 0)) ?? []));

  it.each([
    ['site-with-pages', { test: 'practice', learners: 30 }],
    ['site-with-pages', { test: 'read', users: 30 }],
    ['ohmage', { test: 'upload', phones: 30 }],
    ['ohmage', { test: 'download', teachers: 30 }],
  ])('is tested whole by %s with %j, on a practice server too', (id, answers) => {
    expect(build(id, answers).issues.filter(({ level }) => level === 'error')).toEqual([]);
    expect(atMost(id, answers)).toBe(30);
    expect(atMost(id, answeredForLab(id, answers))).toBe(30);
  });
});

describe('the contest preset', () => {
  const derived = (answers: Record<string, number>): Record<string, number> =>
    Object.fromEntries(build('cms-contest', answers).derived.map(({ id, value }) => [id, value]));

  it('derives the demand: 750 / 5 + 750 / 30 = 175 requests a second, 200 with polls every 15 s', () => {
    expect(derived({})).toEqual({ actions: 150, polls: 25, demand: 175, connections: 53, seconds: 120 });
    expect(derived({ pollSeconds: 15 })).toMatchObject({ polls: 50, demand: 200 });
  });

  it('asks for the demand, 19 of 20 within a second and fewer than 1 in 100 errors, after a warm-up that does not count', () => {
    const { plan, explanation } = build('cms-contest', { participants: 375, minutes: 1, pollSeconds: 15 });
    expect(plan?.objectives).toMatchObject([
      { kind: 'throughput', minPerSecond: 100 },
      { kind: 'responseTime', percentile: 95, limitMs: 1_000 },
      { kind: 'errors', maxShare: 0.01 },
    ]);
    expect(plan?.load.stages).toMatchObject([
      { counted: false, connections: 30 },
      { counted: true, connections: 30, seconds: 60 },
    ]);
    expect(explanation).toContain('375 participants need 100 requests a second');
    expect(explanation).toContain('30 connections request the page of the task as fast as the server responds');
  });

  it.each([
    ['rehearsal', { participants: 40, pauseSeconds: 1 }],
    ['rehearsal', { participants: 100, pollSeconds: 30, rushShare: 100 }],
  ])('plans enough of %s on the practice server to decide it: %j', (test, answers) => {
    const { description, issues: problems } = build('cms-contest', answeredForLab('cms-contest', { test, ...answers }));
    expect(problems).toEqual([]);
    expect(description?.warnings).toEqual([]);
  });

  it.each([60, 150, 750])('asks of the last minutes what %i people decide who wait for their results', (participants) => {
    const { plan } = build('cms-contest', { test: 'rehearsal', participants });
    // Each does what comes before the first solution, 40 of 100 actions, and waits for its result to the end.
    const sure = { description: (participants / 60) * 40 * (4 / 9), statement: (participants / 60) * 40 * (5 / 9), submit: participants };
    for (const objective of plan?.objectives ?? []) {
      if (objective.stage !== 'last minutes' || objective.kind === 'throughput') continue;
      const requests = objective.step === undefined ? undefined : new Map(Object.entries(sure)).get(objective.step);
      if (requests !== undefined) expect([objective, leastFor(objective) <= requests]).toEqual([objective, true]);
    }
  });

  it.each([
    [60, 10, 0.5, false],
    [60, 5, 1, false],
    [150, 20, 0.6, false],
    [150, 5, 1, true],
    [750, 5, 1, true],
  ])(
    'asks of the last minutes what is decided by chance as well: %i people, pauses of %s s, %s min, reads judged: %s',
    (participants, pauseSeconds, rushMinutes, readsAreJudged) => {
      const { plan } = build('cms-contest', { test: 'rehearsal', participants, pauseSeconds, rushMinutes });
      // Each acts by chance, every pause on average, until 60 of 100 actions have made it hand something in, or the time is over.
      const acts = (participants / 0.6) * (1 - Math.exp((-0.6 * rushMinutes * 60) / pauseSeconds));
      const mean = { description: acts * 0.4 * (4 / 9), statement: acts * 0.4 * (5 / 9), submit: acts * 0.6 };
      const asked = (plan?.objectives ?? []).flatMap((objective) =>
        objective.kind === 'throughput' || objective.stage !== 'last minutes' ? [] : [objective],
      );
      for (const objective of asked) {
        const of = new Map(Object.entries(mean)).get(objective.step ?? '');
        // Fewer than that come once in 40 runs.
        if (of !== undefined) expect([objective, leastFor(objective) <= of - 2 * Math.sqrt(of)]).toEqual([objective, true]);
      }
      expect(asked.some(({ step }) => step === 'submit')).toBe(true);
      expect(asked.some(({ step }) => step === 'description')).toBe(readsAreJudged);
    },
  );

  it.each([
    [20, 5, 0.25],
    [37, 8, 0.35],
    [74, 8, 0.24],
    [60, 10, 1],
    [150, 20, 0.6],
    [750, 5, 2],
  ])(
    'asks of the contest itself what is decided by chance as well: %i people, pauses of %s s, %s min',
    (participants, pauseSeconds, minutes) => {
      const { plan, description } = build('cms-contest', { test: 'rehearsal', participants, pauseSeconds, minutes, rushMinutes: minutes });
      // Every tenth action waits 15 s for its result.
      const acts = (participants * minutes * 60) / (pauseSeconds + 1.5);
      const mean = { login: participants, description: acts * 0.4, statement: acts * 0.5, submit: acts * 0.1 };
      const asked = (plan?.objectives ?? []).flatMap((objective) =>
        objective.kind === 'throughput' || objective.stage === 'last minutes' ? [] : [objective],
      );
      for (const objective of asked) {
        const of = new Map(Object.entries(mean)).get(objective.step ?? '');
        if (of !== undefined) expect([objective, leastFor(objective) <= of - 2 * Math.sqrt(of)]).toEqual([objective, true]);
      }
      expect(description?.warnings).toEqual([]);
    },
  );

  it('compares the workers of several contests only when that is what the addresses are', () => {
    const two = [...targets, targetSchema.parse({ url: 'http://127.0.0.1:8081/' })];
    const seriesOf = (several: string) => {
      const preset = presets.find(({ id }) => id === 'cms-contest');
      return preset && buildPlan(preset, { test: 'workers', several }, two);
    };
    expect(seriesOf('one')).toMatchObject({ series: null, plan: { targets: two } });
    expect(seriesOf('each')).toMatchObject({ series: { variants: two.map((target) => ({ targets: [target] })) } });
  });

  it('plans the whole time on a real server', () => {
    const seconds = (answers: Record<string, number | string>): number | null | undefined =>
      build('cms-contest', answers).description?.durationSeconds;
    expect([seconds({}), seconds({ test: 'soak' })]).toEqual([140, 1_810]);
  });

  it('lets the open pages of the rehearsal ask for news beside what their owners do, at the demand that it tells', () => {
    const { plan, derived: values, description } = build('cms-contest', { test: 'rehearsal' });
    const news = plan?.journey.find(({ name }) => name === 'notifications');
    expect(news?.background).toEqual({ everySeconds: 30, after: 'login' });
    expect(plan?.load).toMatchObject({ model: 'users', thinkTime: { meanSeconds: 5 } });
    expect(values.find(({ id }) => id === 'demand')?.value).toBe(175);
    // In the last minutes 60 of 100 actions are four requests: the form, the solution, the list, the result.
    expect(description?.sentences.join(' ')).toMatch(/at most about 445 requests a second/);
  });

  it('has a connection even for a single participant', () => {
    expect(build('cms-contest', { participants: 1, pauseSeconds: 600 }).plan?.load.stages[0]).toMatchObject({ connections: 1 });
  });
});
