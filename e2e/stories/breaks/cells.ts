import { fileURLToPath } from 'node:url';
import { readPresets } from '#backend/presets/presetFiles.ts';
import { buildPlan, listLabAddresses } from '#core/presets/build.ts';
import { listAskedQuestions } from '#core/presets/conditions.ts';
import { fillLabAnswers, type LabAddresses } from '#core/presets/lab.ts';
import { standIns } from '#core/presets/pageList.ts';
import type { Answers, Preset } from '#core/presets/schema.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import type { Break, BreakKind } from '#lab/breaks.ts';
import { kindsFor } from './kinds.ts';
import { type Nature, getNature } from './natures.ts';
import { slug } from './slug.ts';
import { SERVERS, type ServerRules } from './servers.ts';
import { BREAK_TESTS, type BreakTest } from './tests.ts';

export const { presets } = await readPresets({ shipped: fileURLToPath(new URL('../../../presets/', import.meta.url)) });

/** One break of one step in one test. */
export interface Cell {
  /** Id, for example `cms-contest/workers/submit/swallow`. */
  readonly id: string;
  readonly test: BreakTest;
  readonly step: string;
  readonly nature: Nature;
  readonly broken: Break & { readonly kind: BreakKind };
}

/** A kind of break that does not apply to a step, with the reason. */
export interface NotApplicable {
  readonly id: string;
  readonly because: string;
}

export function getPreset(id: string): Preset {
  const preset = presets.find((one) => one.id === id);
  if (preset === undefined) throw new Error(`There is no preset ${id}.`);
  return preset;
}

/** Returns the answers to a test's questions: those for the practice server, and those that make the test small. */
function listAnswers(test: BreakTest, lab: LabAddresses): Answers {
  const preset = getPreset(test.preset);
  const all = { ...fillLabAnswers(preset, lab), ...test.answers };
  const asked = new Set(listAskedQuestions(preset, all).map(({ id }) => id));
  return Object.fromEntries(Object.entries(all).filter(([id]) => asked.has(id)));
}

/** Returns the labels of the addresses that the test targets. An empty list means the default addresses. */
export function addressesFor(test: BreakTest): readonly string[] {
  return listLabAddresses(getPreset(test.preset), test.answers).slice(0, 1);
}

/** Returns the plan that the preset makes for a test. Throws if the preset makes none. */
export function planOfTest(test: BreakTest, lab: LabAddresses, urls: readonly string[], cookie?: string): Plan {
  const preset = getPreset(test.preset);
  const countResponses = listAnswers(test, lab);
  const targets = urls.map((url) => ({ url, headers: {}, ...(cookie === undefined ? {} : { cookie }) }));
  const { plan, issues } = buildPlan(preset, { ...standIns(preset, countResponses), ...countResponses }, targets);
  if (plan === null)
    throw new Error(`${test.preset}/${test.test} makes no plan: ${issues.map(({ path, message }) => `${path} ${message}`).join('\n')}`);
  return plan;
}

const UNUSED_PLACES: LabAddresses = {
  folder: '/nowhere',
  control: 'http://127.0.0.1:9/',
  addresses: ['Oracle', 'Exam', 'Registration'].map((label) => ({ label, url: 'http://127.0.0.1:9/', help: '' })),
};

/** Returns all cells, and the kinds of breaks that do not apply, derived from the plans of the tests. */
export function allCells(): { readonly cells: readonly Cell[]; readonly notApplicable: readonly NotApplicable[] } {
  const cells: Cell[] = [];
  const notApplicable: NotApplicable[] = [];
  for (const test of BREAK_TESTS) {
    const server = getServer(test);
    for (const step of planOfTest(test, UNUSED_PLACES, ['http://127.0.0.1:9/']).journey) {
      const place = `${test.preset}/${test.test}/${slug(step.name)}`;
      if (test.steps?.includes(step.name) === false) continue;
      if (step.measured === false) {
        notApplicable.push({ id: place, because: 'it is part of no figure' });
        continue;
      }
      const nature = getNature(step, server.lists);
      for (const { kind, because } of kindsFor(step.name, nature, server)) {
        const id = `${place}/${kind}`;
        const hasOneAccount = test.hasOneAccount === true || test.isLoggedIn === true;
        if (kind === 'oneAccount' && because === null && hasOneAccount) notApplicable.push({ id, because: 'one account does all' });
        else if (because === null) cells.push({ id, test, step: step.name, nature, broken: makeBreak(step, kind, server) });
        else notApplicable.push({ id, because });
      }
    }
  }
  return { cells, notApplicable };
}

function getServer(test: BreakTest): ServerRules {
  const server = SERVERS[getPreset(test.preset).lab ?? ''];
  if (server === undefined) throw new Error(`Nothing is known of the practice server of ${test.preset}.`);
  return server;
}

/** Share of requests that fail. As in real incidents, some still succeed. */
const FAILING_SHARE = 0.6;

function makeBreak({ name, method }: Step, kind: BreakKind, server: ServerRules): Cell['broken'] {
  const to = kind === 'backToForm' ? server.forms[name] : kind === 'toLogin' ? server.login : undefined;
  return { step: slug(name), method, kind, ...(kind === 'status500' ? { share: FAILING_SHARE } : {}), ...(to === undefined ? {} : { to }) };
}
