import { z } from 'zod';
import { findLab } from '#lab/registry.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import { logIn } from '../contest/contestant.ts';
import type { LabProcess } from '../framework/labProcess.ts';
import type { Scene } from '../framework/scene.ts';
import { addressesFor, type Cell, planOfTest, getPreset } from './cells.ts';
import { judgeCell, judgeUntouched, type JudgedResult } from './judge.ts';
import { shorten } from './shorten.ts';
import type { BreakTest } from './tests.ts';

export interface PlayedCell {
  readonly id: string;
  readonly seconds: number;
  readonly stated: JudgedResult;
  readonly wrong: string | null;
  /** Whether the broken step was named; null if there was no break. */
  readonly isNamed: boolean | null;
}

/** Fields of newer results. Older results have none of them. */
const extrasSchema = z.object({
  storage: z.object({ state: z.string() }).optional(),
  notJudged: z.array(z.object({ step: z.string() })).optional(),
});

/** Runs a test with one break. */
export async function playCell(scene: Scene, cell: Cell): Promise<PlayedCell> {
  const startedMs = performance.now();
  const { result, plan } = await runTest(scene, cell.test, JSON.stringify(cell.broken));
  const judgedResult = findingsBy(result);
  const { wrong, isNamed } = judgeCell(judgedResult, cell.broken.kind, namesOf(plan, cell.step), {
    isConfirmed: isConfirmed(plan, cell.step),
    criteria: plan.criteria.length,
  });
  return { id: cell.id, seconds: (performance.now() - startedMs) / 1_000, stated: judgedResult, wrong, isNamed };
}

/** Runs the same test without a break. */
export async function playUntouched(scene: Scene, test: BreakTest): Promise<PlayedCell> {
  const startedMs = performance.now();
  const { result, plan } = await runTest(scene, test, null);
  const judgedResult = findingsBy(result);
  const wrong = judgeUntouched(judgedResult, plan.criteria.length);
  return {
    id: `${test.preset}/${test.test}`,
    seconds: (performance.now() - startedMs) / 1_000,
    stated: judgedResult,
    wrong,
    isNamed: null,
  };
}

async function runTest(scene: Scene, test: BreakTest, broken: string | null): Promise<{ result: RunResult; plan: Plan }> {
  const { lab: name = '', labOptions } = getPreset(test.preset);
  const lab = await scene.lab(findLab(name).name, { ...labOptions, ...test.lab, ...(broken === null ? {} : { break: broken }) });
  try {
    const cookie = test.isLoggedIn === true ? await getLogin(lab) : undefined;
    const labels = addressesFor(test);
    const urls = labels.length > 0 ? labels.map((label) => lab.address(label)) : lab.urls.map((url) => new URL(test.path ?? '', url).href);
    const plan = shorten(planOfTest(test, lab, urls, cookie), test);
    return { result: await scene.run(plan), plan };
  } finally {
    await lab.stop();
  }
}

async function getLogin(lab: LabProcess): Promise<string> {
  return (await logIn(lab)).cookie;
}

function findingsBy({ verdict, findings, generators }: RunResult): JudgedResult {
  const { storage, notJudged } = extrasSchema.parse(verdict);
  return {
    outcome: verdict.outcome,
    headline: verdict.headline,
    sentence: verdict.sentence,
    finding: findings[0]?.sentence ?? null,
    storage: storage?.state ?? null,
    notJudged: notJudged?.map(({ step }) => step) ?? [],
    overloadedSeconds: generators.reduce((sum, { overloadedSeconds }) => sum + overloadedSeconds, 0),
  };
}

/** Returns the names by which a text may refer to a step: the step's name, and the name of the step's items. */
function namesOf({ journey }: Plan, name: string): readonly string[] {
  const items = journey.find((one) => one.name === name)?.items;
  return [`“${name}”`, ...(items === undefined ? [] : [items.many])];
}

/** Returns whether the plan compares what the step sent with what the server has stored. */
function isConfirmed({ journey, stored = [] }: Plan, step: string): boolean {
  return stored.some((one) => one.step === step) || journey.some((one) => one.confirms?.includes(step) === true);
}
