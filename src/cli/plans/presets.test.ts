import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LABS } from '#lab/registry.ts';
import { playK6 } from '#core/export/testing/k6StandIn.ts';
import { unmatchedFunctions } from '#core/export/testing/unmatchedFunctions.ts';
import { k6Script } from '#core/export/k6/k6Script.ts';
import { listUsedColumns } from '#core/work/feeds/rows.ts';
import { computePlannedSeconds } from '#core/work/load/planned.ts';
import { checkPlan } from '#core/review/check.ts';
import { targetSchema } from '#core/plan/schema/plan.ts';
import { listUploadFolders } from '#core/work/journey/walked.ts';
import { minRequestsFor } from '#core/review/checks/criteria.ts';
import { standIns } from '#core/presets/pageList.ts';
import { describePlan, type Description } from '#core/review/describe.ts';
import { buildPlan, listLabAddresses } from '#core/presets/build.ts';
import { listAskedQuestions } from '#core/presets/conditions.ts';
import { fillLabAnswers, type LabAddresses } from '#core/presets/lab.ts';
import type { BuiltPlan, Preset } from '#core/presets/schema.ts';
import { computeSeriesSeconds } from '#core/series/check.ts';
import { formatCount } from '#core/base/units.ts';
import { readPresets } from '#backend/presets/presetFiles.ts';

const directory = fileURLToPath(new URL('../../../presets/', import.meta.url));
const targets = [targetSchema.parse({ url: 'http://127.0.0.1:8080/' })];
const { presets, issues } = await readPresets({ shipped: directory });

function getPreset(id: string): Preset {
  const preset = presets.find((candidate) => candidate.id === id);
  if (!preset) throw new Error(`There is no preset ${id}.`);
  return preset;
}

function buildPreset(id: string, answers: Record<string, number | string> = {}): BuiltPlan & { readonly description: Description | null } {
  const preset = getPreset(id);
  const built = buildPlan(preset, { ...answers, ...standIns(preset, answers) }, targets);
  return { ...built, description: built.plan && describePlan(built.plan) };
}

describe('every preset', () => {
  it('is valid and its id is its file name', async () => {
    const files = (await readdir(directory)).filter((name) => name.endsWith('.yaml'));
    expect(issues).toEqual([]);
    expect(presets.map(({ id }) => `${id}.yaml`)).toEqual(files.sort());
  });

  it.each(presets.map(({ id }) => id))('%s builds a valid plan from the defaults of its questions', (id) => {
    const { plan, issues: problems, description, explanation } = buildPreset(id);
    expect(problems.filter(({ level }) => level === 'error')).toEqual([]);
    if (!plan) throw new Error('no plan');
    expect(checkPlan(plan).filter(({ level }) => level === 'error')).toEqual([]);
    expect(plan.preset).toBe(id);
    expect(plan.targets).toEqual(targets);
    expect(plan.exercises.length).toBeGreaterThan(0);
    expect(plan.omits.length).toBeGreaterThan(0);
    expect(description?.sentences.length).toBeGreaterThan(0);
    // All placeholders of the template must have been replaced.
    expect(JSON.stringify([plan, explanation])).not.toMatch(/(?<!\{)\{[a-z][A-Za-z]*\}|"=/);
  });

  it.each(['read', 'mobile'])('states at most the number of readers in its batch as its claim: %s', (test) => {
    for (const batch of ['both', 'small', 'large']) {
      const { plan } = buildPreset('site-with-pages', { test, batch });
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
  ])('lets visitors return over https, and changes nothing without https: %s %j', (id, kind) => {
    const buildFor = (url: string) => {
      const preset = getPreset(id);
      return buildPlan(preset, { ...kind, ...standIns(preset, kind) }, [targetSchema.parse({ url })]).plan?.tls;
    };
    expect(buildFor('https://school.test/')).toEqual({ verify: true, resume: 0.4 });
    expect(buildFor('http://school.test/')).toEqual({ verify: true });
  });

  describe('a site with pages', () => {
    const buildJourney = (answers: Record<string, string>, cookie = 'sessionid=x') => {
      const preset = getPreset('site-with-pages');
      const { plan } = buildPlan(preset, answers, [targetSchema.parse({ url: 'http://school.test/', cookie })]);
      return { cookie: plan?.targets[0]?.cookie, journey: plan?.journey ?? [] };
    };

    it('omits the shared login if each reader logs in', () => {
      expect(buildJourney({ test: 'read' }).cookie).toBeUndefined();
      expect(buildJourney({ test: 'practice' }).cookie).toBeUndefined();
      expect(buildJourney({ test: 'read', login: 'none' }).cookie).toBe('sessionid=x');
      expect(buildJourney({ test: 'cache' }).cookie).toBe('sessionid=x');
    });

    it('begins with the login, followed by the first page', () => {
      expect(buildJourney({ test: 'read', pages: '/a' }).journey.map(({ name }) => name)).toEqual([
        'login page',
        'log in',
        'start page',
        'a',
      ]);
      expect(buildJourney({ test: 'read', pages: '/a', login: 'none' }).journey.map(({ name }) => name)).toEqual(['start page', 'a']);
    });

    it('gives steps unique names for any pages', () => {
      const { journey } = buildJourney({ test: 'read', pages: '/ /x/start%20page /y/log%20in /lessons/1/ /lessons/1' });
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

  it('states the number of contest participants in its claim', () => {
    expect(buildPreset('cms-contest').plan?.claim).toBe('750 participants');
  });

  it.each(presets.flatMap(({ id, lab }) => (lab === undefined ? [] : [[id, lab] as const])))('%s names a practice server', (_id, lab) => {
    expect(LABS.map(({ name }) => name)).toContain(lab);
  });

  it.each(presets.map(({ id }) => id))('%s explains an invalid answer to a question and builds no plan', (id) => {
    const question = presets.find((preset) => preset.id === id)?.questions.find(({ kind }) => kind === 'number');
    if (question?.kind !== 'number') throw new Error('no number is asked');
    const built = buildPreset(id, { [question.id]: question.max + 1 });
    expect(built.plan).toBeNull();
    expect(built.issues.some(({ hint, message }) => hint !== '' && message !== '')).toBe(true);
  });
});

const LAB: LabAddresses = {
  folder: '/tmp/practice',
  control: 'http://127.0.0.1:9/',
  addresses: ['Oracle', 'Exam', 'Registration'].map((label) => ({ label, url: 'http://127.0.0.1:8123/', help: '' })),
};

/** Returns answers that fit the practice server, for the questions that apply. */
function answersForLab(id: string, answers: Record<string, number | string> = {}): Record<string, number | string> {
  const preset = getPreset(id);
  const all = { ...fillLabAnswers(preset, LAB), ...answers };
  const asked = new Set(listAskedQuestions(preset, all).map((question) => question.id));
  return Object.fromEntries(Object.entries(all).filter(([question]) => asked.has(question)));
}

/** Each test of each preset. A preset without a choice of tests counts as one. */
const tests = presets.flatMap(({ id, questions }) => {
  const test = questions.find((question) => question.id === 'test');
  return test?.kind === 'choice' ? test.options.map(({ value }) => [id, value] as const) : [[id, ''] as const];
});

/** Label of the bursts that take half an hour on a practice server. */
const HOURS_LABEL = '(hours)';

/** Each test of each preset, once with its defaults and once with each alternative for each choice. */
const variations = tests.flatMap(([id, test]) => {
  const proposed: Record<string, number | string> = test === '' ? {} : { test };
  const filled = answersForLab(id, proposed);
  const others = listAskedQuestions(getPreset(id), filled).flatMap((question) =>
    question.kind !== 'choice' || question.id === 'test' || Object.hasOwn(getPreset(id).labAnswers, question.id)
      ? []
      : question.options
          .filter(({ value, label }) => value !== question.default && !label.endsWith(HOURS_LABEL))
          .map(({ value }) => ({ ...proposed, [question.id]: value })),
  );
  return [proposed, ...others].map((answers) => [id, answers] as const);
});

/** Shipped tests that a k6 script cannot run, each with the expected error. */
const NOT_IN_K6: Readonly<Record<string, string>> = {
  'ohmage read': 'reads a list page by page',
  'exam ': 'takes the form of its page',
  'registration ': 'takes the form of its page',
};

describe('every test of every preset', () => {
  it.each(variations)('exports to k6 unless listed with a reason: %s %j', (id, settings) => {
    const { plan } = buildPreset(id, answersForLab(id, settings));
    if (plan === null) throw new Error('no plan');
    const uploads = Object.fromEntries(listUploadFolders(plan).map((folder) => [`${folder}/one.cpp`, 'YQ==']));
    const feeds = Object.fromEntries(
      Object.entries(plan.feeds ?? {}).map(([name, { order }]) => {
        const columns = [...listUsedColumns(plan, name)];
        return [name, { columns, rows: Array.from({ length: 1_000 }, (_, row) => columns.map((column) => `${column}${row}`)), order }];
      }),
    );
    const reason = NOT_IN_K6[`${id} ${settings['test'] ?? ''}`];
    if (reason !== undefined) return expect(() => k6Script(plan, { feeds, uploads })).toThrow(reason);
    const { script, files, environment } = k6Script(plan, { feeds, uploads });
    expect(unmatchedFunctions(script)).toEqual({ missing: [], idle: [] });
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
  it.each(tests)('defaults to real scale: %s %s', (id, test) => {
    const { plan, description } = buildPreset(id, test === '' ? {} : { test });
    expect(plan).not.toBeNull();
    const scale = presets.find((preset) => preset.id === id)?.questions.find((question) => question.id === 'scale');
    if (scale !== undefined) expect(scale.default).toBe(1);
    expect(description?.warnings).toEqual([]);
  });

  it.each(tests)('takes under two minutes per run on the practice server and can be decided: %s %j', (id, test) => {
    const { issues: problems, description } = buildPreset(id, answersForLab(id, test === '' ? {} : { test }));
    expect(problems).toEqual([]);
    expect(description?.warnings).toEqual([]);
    expect(description?.durationSeconds ?? 0).toBeLessThan(120);
  });

  // The limit of 105 s leaves time for setup, and for outstanding responses at the end of each run.
  it.each(variations)('plans at most 105 s for all runs of a series on the practice server: %s %j', (id, settings) => {
    const preset = getPreset(id);
    const answers = answersForLab(id, settings);
    const addresses = Math.max(1, listLabAddresses(preset, answers).length);
    const places = Array.from({ length: addresses }, (_, index) => targetSchema.parse({ url: `http://127.0.0.1:${8080 + index}/` }));
    const { plan, series, issues: problems } = buildPlan(preset, { ...answers, ...standIns(preset, answers) }, places);
    expect(problems).toEqual([]);
    if (plan === null) throw new Error('no plan');
    const stageSeconds = series === null ? computePlannedSeconds(plan) : computeSeriesSeconds({ plan, series });
    // A load that ends after a number of requests has no planned duration.
    if (stageSeconds === null) expect(JSON.stringify(plan.load)).toContain('"requests"');
    else expect(stageSeconds).toBeLessThanOrEqual(105);
  });

  it('compares the unknown servers, and sends bursts to one server and to three servers', () => {
    expect(variations.length).toBeGreaterThan(40);
    const bursts = buildPreset('node-vs-gunicorn', answersForLab('node-vs-gunicorn', { test: 'bursts' }));
    const sizes = bursts.plan?.load.stages.flatMap((stage) => ('arrivals' in stage ? [stage.arrivals] : []));
    // In a burst, one server completes 13 ± 1 requests, and three complete 39 ± 3. The burst sizes lie below, between and above these.
    expect(sizes).toEqual([12, 27, 42]);
    // The 42 requests take 0.5 s each; the second of the burst and half a request are subtracted. The pause is shorter if other servers are
    // tested in between.
    const lastPauseOf = (answers: Record<string, string>): unknown =>
      buildPreset('node-vs-gunicorn', answersForLab('node-vs-gunicorn', { test: 'bursts', ...answers })).plan?.load.stages.at(-1);
    expect(lastPauseOf({})).toMatchObject({ kind: 'pause', seconds: 7.5 });
    for (const servers of ['single', 'nodes', 'node', 'gunicorn', 'three'])
      expect(lastPauseOf({ servers })).toMatchObject({ kind: 'pause', seconds: 20.5 });
    expect(lastPauseOf({ where: 'own' })).toMatchObject({ kind: 'pause', seconds: 20.5 });
  });

  it("keeps the durations of the original report's spikes by default", () => {
    const stageSeconds = (id: string, answers: Record<string, number | string>): (number | null)[] =>
      buildPreset(id, answers).description?.profile.map(({ fromSecond, toSecond }) => (toSecond === null ? null : toSecond - fromSecond)) ??
      [];
    expect(stageSeconds('node-vs-gunicorn', { test: 'spike' }).map((value) => value?.toFixed(2))).toEqual(
      [60, 120, 120, 1.96, 1.96, 1.96, 60, 180, 1.96, 60, 30].map((value) => value.toFixed(2)),
    );
    expect(stageSeconds('node-vs-gunicorn', { test: 'characterize' })).toEqual([10, 60, 20]);
  });

  it.each(presets.map(({ id }) => id))('states how long the first test of %s takes', (id) => {
    const { description, series } = buildPreset(id);
    const minutes = ((description?.durationSeconds ?? NaN) * (series?.variants.length ?? 1)) / 60;
    const reportedValue = presets.find((preset) => preset.id === id)?.takesMinutes;
    expect(reportedValue).toBe(Math.ceil(minutes));
  });

  it("fills in the practice server's paths of accounts and oracle, and its address of figures", () => {
    expect(answersForLab('site-with-pages', { test: 'practice' })).toMatchObject({
      accounts: '/tmp/practice/accounts.csv',
      oracle: '127.0.0.1:8123',
      scale: 25,
    });
    expect(answersForLab('cms-contest', { test: 'soak', watch: 'address' })).toMatchObject({ watchUrl: 'http://127.0.0.1:9/gauges' });
    expect(answersForLab('cms-contest', { test: 'rehearsal' })['accountsPassword']).toBe('file:/tmp/practice/password');
  });
});

describe('a class of 30', () => {
  const maxLoadOf = (id: string, answers: Record<string, number | string>): number =>
    Math.max(...(buildPreset(id, answers).plan?.load.stages.map((stage) => ('users' in stage ? stage.users : 0)) ?? []));

  it.each([
    ['site-with-pages', { test: 'practice', learners: 30 }],
    ['site-with-pages', { test: 'read', users: 30 }],
    ['ohmage', { test: 'upload', phones: 30 }],
    ['ohmage', { test: 'download', teachers: 30 }],
  ])('is tested as a whole by %s with %j, even on a practice server', (id, answers) => {
    expect(buildPreset(id, answers).issues.filter(({ level }) => level === 'error')).toEqual([]);
    expect(maxLoadOf(id, answers)).toBe(30);
    expect(maxLoadOf(id, answersForLab(id, answers))).toBe(30);
  });
});

describe('the contest preset', () => {
  const derivedValues = (answers: Record<string, number>): Record<string, number> =>
    Object.fromEntries(buildPreset('cms-contest', answers).derived.map(({ id, value }) => [id, value]));

  it('derives the demand: 750 / 5 + 750 / 30 = 175 requests per second, 200 with polls every 15 s', () => {
    expect(derivedValues({})).toEqual({ actions: 150, polls: 25, demand: 175, connections: 53, seconds: 120 });
    expect(derivedValues({ pollSeconds: 15 })).toMatchObject({ polls: 50, demand: 200 });
  });

  it('requires the demand, 95 % within 1 s and under 1 % errors, after an unmeasured warm-up', () => {
    const { plan, explanation } = buildPreset('cms-contest', { participants: 375, minutes: 1, pollSeconds: 15 });
    expect(plan?.criteria).toMatchObject([
      { kind: 'throughput', minPerSecond: 100 },
      { kind: 'responseTime', percentile: 95, maxMs: 1_000 },
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
  ])('plans enough of %s on the practice server for a verdict: %j', (test, answers) => {
    const { description, issues: problems } = buildPreset('cms-contest', answersForLab('cms-contest', { test, ...answers }));
    expect(problems).toEqual([]);
    expect(description?.warnings).toEqual([]);
  });

  it.each([60, 150, 750])('sets criteria for the last minutes that can be decided with %i waiting people', (participants) => {
    const { plan } = buildPreset('cms-contest', { test: 'rehearsal', participants });
    // Each participant performs 40 of 100 actions before the first solution, then waits for the result until the end.
    const sure = { description: (participants / 60) * 40 * (4 / 9), statement: (participants / 60) * 40 * (5 / 9), submit: participants };
    for (const criterion of plan?.criteria ?? []) {
      if (criterion.stage !== 'last minutes' || criterion.kind === 'throughput') continue;
      const requests = criterion.step === undefined ? undefined : new Map(Object.entries(sure)).get(criterion.step);
      if (requests !== undefined) expect([criterion, minRequestsFor(criterion) <= requests]).toEqual([criterion, true]);
    }
  });

  it.each([
    [60, 10, 0.5, false],
    [60, 5, 1, false],
    [150, 20, 0.6, false],
    [150, 5, 1, true],
    [750, 5, 1, true],
  ])(
    'sets criteria for the last minutes that can be decided in spite of chance: %i people, pauses of %s s, %s min, reads judged: %s',
    (participants, pauseSeconds, rushMinutes, readsAreJudged) => {
      const { plan } = buildPreset('cms-contest', { test: 'rehearsal', participants, pauseSeconds, rushMinutes });
      // Each participant acts once per mean pause, until an action is a submission (60 of 100) or the time is over.
      const acts = (participants / 0.6) * (1 - Math.exp((-0.6 * rushMinutes * 60) / pauseSeconds));
      const mean = { description: acts * 0.4 * (4 / 9), statement: acts * 0.4 * (5 / 9), submit: acts * 0.6 };
      const asked = (plan?.criteria ?? []).flatMap((criterion) =>
        criterion.kind === 'throughput' || criterion.stage !== 'last minutes' ? [] : [criterion],
      );
      for (const criterion of asked) {
        const of = new Map(Object.entries(mean)).get(criterion.step ?? '');
        // The limit is two standard deviations below the mean, because only one of 40 runs has fewer requests.
        if (of !== undefined) expect([criterion, minRequestsFor(criterion) <= of - 2 * Math.sqrt(of)]).toEqual([criterion, true]);
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
    'sets criteria for the contest itself that can be decided in spite of chance: %i people, pauses of %s s, %s min',
    (participants, pauseSeconds, minutes) => {
      const { plan, description } = buildPreset('cms-contest', {
        test: 'rehearsal',
        participants,
        pauseSeconds,
        minutes,
        rushMinutes: minutes,
      });
      // Every tenth action waits 15 s for its result, which is 1.5 s on average.
      const acts = (participants * minutes * 60) / (pauseSeconds + 1.5);
      const mean = { login: participants, description: acts * 0.4, statement: acts * 0.5, submit: acts * 0.1 };
      const asked = (plan?.criteria ?? []).flatMap((criterion) =>
        criterion.kind === 'throughput' || criterion.stage === 'last minutes' ? [] : [criterion],
      );
      for (const criterion of asked) {
        const of = new Map(Object.entries(mean)).get(criterion.step ?? '');
        if (of !== undefined) expect([criterion, minRequestsFor(criterion) <= of - 2 * Math.sqrt(of)]).toEqual([criterion, true]);
      }
      expect(description?.warnings).toEqual([]);
    },
  );

  it('compares workers only if the addresses belong to several contests', () => {
    const two = [...targets, targetSchema.parse({ url: 'http://127.0.0.1:8081/' })];
    const getSeries = (several: string) => {
      const preset = presets.find(({ id }) => id === 'cms-contest');
      return preset && buildPlan(preset, { test: 'workers', several }, two);
    };
    expect(getSeries('one')).toMatchObject({ series: null, plan: { targets: two } });
    expect(getSeries('each')).toMatchObject({ series: { variants: two.map((target) => ({ targets: [target] })) } });
  });

  it('plans the full duration for a real server', () => {
    const stageSeconds = (answers: Record<string, number | string>): number | null | undefined =>
      buildPreset('cms-contest', answers).description?.durationSeconds;
    expect([stageSeconds({}), stageSeconds({ test: 'soak' })]).toEqual([140, 1_810]);
  });

  it('polls from open pages of the rehearsal at the stated demand', () => {
    const { plan, derived: values, description } = buildPreset('cms-contest', { test: 'rehearsal' });
    const news = plan?.journey.find(({ name }) => name === 'notifications');
    expect(news?.background).toEqual({ everySeconds: 30, after: 'login' });
    expect(plan?.load).toMatchObject({ model: 'users', thinkTime: { meanSeconds: 5 } });
    expect(values.find(({ id }) => id === 'demand')?.value).toBe(175);
    // In the last minutes, 60 of 100 actions consist of four requests: form, solution, list, result.
    expect(description?.sentences.join(' ')).toMatch(/at most about 445 requests a second/);
  });

  it('plans at least one connection for a single participant', () => {
    expect(buildPreset('cms-contest', { participants: 1, pauseSeconds: 600 }).plan?.load.stages[0]).toMatchObject({ connections: 1 });
  });
});
