import { describe, expect, it } from 'vitest';
import { BREAK_KINDS } from '#lab/breaks.ts';
import { buildPlan } from '#core/presets/build.ts';
import { listAskedQuestions } from '#core/presets/conditions.ts';
import { listCombinations } from '#core/presets/parse.ts';
import { standIns } from '#core/presets/pageList.ts';
import { targetSchema } from '#core/plan/schema/plan.ts';
import { readStoryOptions } from '../options.ts';
import { allCells, planOfTest, getPreset, presets } from './cells.ts';
import { cellsOfDay, drawCells } from './choose.ts';
import { judgeCell, judgeUntouched, type JudgedResult } from './judge.ts';
import { SERVERS } from './servers.ts';
import { shorten } from './shorten.ts';
import { BREAK_TESTS } from './tests.ts';

const LAB = {
  folder: '/nowhere',
  control: 'http://127.0.0.1:9/',
  addresses: ['Oracle', 'Exam', 'Registration'].map((label) => ({ label, url: 'http://127.0.0.1:9/', help: '' })),
};
const URLS = ['http://127.0.0.1:9/'];
const { cells, notApplicable } = allCells();

describe('the table of breaks', () => {
  it('covers every step of every preset, with every answer', () => {
    const target = targetSchema.parse({ url: 'http://127.0.0.1:9/' });
    for (const preset of presets) {
      const covered = new Set(
        BREAK_TESTS.filter((test) => test.preset === preset.id).flatMap((test) =>
          planOfTest(test, LAB, URLS).journey.map(({ name }) => name),
        ),
      );
      for (const countResponses of listCombinations(preset)) {
        // Two pages are enough to represent lists of any length.
        const pages = listAskedQuestions(preset, countResponses).filter(({ kind }) => kind === 'pages');
        const listed = Object.fromEntries(pages.map(({ id }) => [id, '/grade-12/10-colour/10-colour-06.cnxmlplus']));
        const { plan } = buildPlan(preset, { ...countResponses, ...standIns(preset, countResponses), ...listed }, [target]);
        for (const { name } of plan?.journey ?? []) expect(covered, `${preset.id} ${JSON.stringify(countResponses)}`).toContain(name);
      }
    }
  });

  it('covers every test that a preset offers', () => {
    for (const preset of presets) {
      const question = preset.questions.find(({ id, kind }) => id === 'test' && kind === 'choice');
      const offered = question?.kind === 'choice' ? question.options.map(({ value }) => String(value)) : [];
      const covered = BREAK_TESTS.filter((test) => test.preset === preset.id).map(({ answers: countResponses }) => countResponses['test']);
      expect(covered, preset.id).toEqual(expect.arrayContaining(offered));
      expect(covered.length, preset.id).toBeGreaterThan(0);
    }
  });

  it('breaks every step in at least two ways, and explains why the other kinds do not apply', () => {
    for (const step of new Set(cells.map(({ id }) => id.slice(0, id.lastIndexOf('/'))))) {
      const broken = cells.filter(({ id }) => id.startsWith(`${step}/`)).length;
      const others = notApplicable.filter(({ id }) => id.startsWith(`${step}/`)).length;
      expect(broken, step).toBeGreaterThanOrEqual(2);
      expect(broken + others, step).toBe(BREAK_KINDS.length);
    }
    expect(notApplicable.filter(({ because }) => because === '')).toEqual([]);
  });

  it('uses every kind', () => {
    expect(new Set(cells.map(({ broken }) => broken.kind))).toEqual(new Set(BREAK_KINDS));
  });

  it('names only steps that exist in a preset', () => {
    for (const [lab, { forms, lists, mayBeEmpty, loginPages, stores, evaluates, refuses, open }] of Object.entries(SERVERS)) {
      const tests = BREAK_TESTS.filter(({ preset }) => getPreset(preset).lab === lab);
      const names = new Set(tests.flatMap((test) => planOfTest(test, LAB, URLS).journey.map(({ name }) => name)));
      const knownNames = [
        ...Object.keys(forms),
        ...lists,
        ...mayBeEmpty,
        ...loginPages,
        ...stores,
        ...evaluates,
        ...Object.keys(refuses),
        ...(open ?? []),
      ];
      for (const name of knownNames) expect(names, lab).toContain(name);
    }
  });
});

it('a shortened plan keeps its steps, and as many of its criteria can be decided as before', () => {
  for (const test of BREAK_TESTS) {
    const plan = planOfTest(test, LAB, URLS);
    const short = shorten(plan, test);
    expect(short.journey.map(({ name }) => name)).toEqual(plan.journey.map(({ name }) => name));
    const errors = ({ criteria }: typeof plan): unknown[] =>
      criteria.filter(({ kind }) => kind === 'errors').map(({ kind, ...scope }) => [kind, 'step' in scope ? scope.step : null]);
    expect(errors(short)).toEqual(errors(plan));
  }
});

const REPORTED: JudgedResult = {
  outcome: 'passed',
  headline: 'Passed for 24 solutions',
  sentence: 'Passed.',
  finding: null,
  storage: null,
  notJudged: [],
  overloadedSeconds: 0,
};

const PLAIN = { isConfirmed: false, criteria: 1 };

describe('a cell', () => {
  it('is detected if the run failed, but not if it passed or was inconclusive', () => {
    expect(judgeCell({ ...REPORTED, outcome: 'failed', sentence: '9 of “submit” failed' }, 'status500', ['“submit”'], PLAIN)).toEqual({
      wrong: null,
      isNamed: true,
    });
    expect(judgeCell(REPORTED, 'status500', ['“submit”'], PLAIN)).toEqual({ wrong: 'passed', isNamed: false });
    expect(judgeCell({ ...REPORTED, outcome: 'inconclusive' }, 'status500', [], PLAIN).wrong).toBe('inconclusive');
  });

  it('may pass only if nothing could verify storage and the headline says so', () => {
    const stated = { ...REPORTED, headline: 'Passed for 24 solutions; storage of “submit” not verified' };
    expect(judgeCell(stated, 'swallow', [], PLAIN).wrong).toBeNull();
    expect(judgeCell(stated, 'swallow', [], { ...PLAIN, isConfirmed: true }).wrong).toBe('passed');
    expect(judgeCell(stated, 'errorPage', [], PLAIN).wrong).toBe('passed');
    expect(judgeCell({ ...stated, headline: 'Passed' }, 'swallow', [], PLAIN).wrong).toBe('passed');
  });

  it('of a plan without criteria is detected if the first finding names the step', () => {
    const stated = { ...REPORTED, outcome: 'measured', finding: '“page” mostly returned status 500.' };
    expect(judgeCell(stated, 'status500', ['“page”'], { ...PLAIN, criteria: 0 }).wrong).toBeNull();
    expect(judgeCell(stated, 'status500', ['“page”'], PLAIN).wrong).toBe('measured');
    expect(judgeCell({ ...stated, finding: 'Fast.' }, 'status500', ['“page”'], { ...PLAIN, criteria: 0 }).wrong).toBe('measured');
  });

  it('without a break must pass, or be measured if its plan has no criteria', () => {
    expect(judgeUntouched(REPORTED, 1)).toBeNull();
    expect(judgeUntouched({ ...REPORTED, outcome: 'measured' }, 0)).toBeNull();
    expect(judgeUntouched({ ...REPORTED, outcome: 'failed' }, 0)).toBe('failed');
  });
});

describe('the selection of cells for one day', () => {
  it('is determined by the seed, and uses few tests', () => {
    const drawnCells = drawCells(cells, 8, 7);
    expect(drawnCells).toHaveLength(8);
    expect(drawCells(cells, 8, 7)).toEqual(drawnCells);
    expect(drawCells(cells, 8, 8)).not.toEqual(drawnCells);
    expect(new Set(drawnCells.map(({ test }) => test)).size).toBeLessThanOrEqual(4);
    expect(drawCells(cells.slice(0, 3), 8, 7)).toHaveLength(3);
  });

  it('covers every cell within as many days as there are parts', () => {
    const { of } = cellsOfDay(cells, 600, 0);
    const seenCells = Array.from({ length: of }, (_, day) => cellsOfDay(cells, 600, day * 86_400_000).cells).flat();
    expect(seenCells).toEqual(cells);
  });
});

it('the options accept breaks, but not together with another mutation', () => {
  expect(readStoryOptions(['--break', '--cells', '8'])).toMatchObject({ breaks: 'all', cells: 8, mutation: null });
  expect(readStoryOptions(['--swallow'])).toMatchObject({ breaks: 'swallow' });
  expect(() => readStoryOptions(['--break', '--shift'])).toThrow(TypeError);
  expect(() => readStoryOptions(['--cells', '0'])).toThrow(TypeError);
});
