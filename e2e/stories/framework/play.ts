import { HoldfastError, toProblem } from '#core/base/errors.ts';
import { diceFor } from './dice.ts';
import { findProblem } from './figure.ts';
import { findLacks } from './needs.ts';
import { playInNetwork } from './network.ts';
import type { Ending, Outcome } from './outcome.ts';
import { openScene, type Mutation } from './scene.ts';
import type { Story } from './story.ts';
import { setTimeout as passed } from 'node:timers/promises';
import { cpuShares, readCpuTimes } from '#engine/procFiles.ts';
import { MAX_STEAL } from '#engine/selfWatch.ts';

const OBSERVATION_MS = 3_000;
const MAX_WAIT_MS = 60_000;

/** Waits for up to a minute until the hypervisor steals no processor time. If the machine does not report stolen time, returns soon. */
async function waitForQuietMachine(): Promise<void> {
  for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += OBSERVATION_MS) {
    const before = readCpuTimes();
    await passed(OBSERVATION_MS);
    const after = readCpuTimes();
    const stolen = before === null || after === null ? null : (cpuShares(before, after)?.stolen ?? null);
    if (stolen === null || stolen <= MAX_STEAL) return;
  }
}

/**
 * Maximum number of attempts. A failure on an overloaded machine proves nothing about the app, so the story is repeated in a new network,
 * and this is noted. Stories with a mutation are not repeated.
 */
const MAX_ATTEMPTS = 3;

export interface Playing {
  readonly seed: number;
  readonly mutation: Mutation | null;
  /** Whether this process is inside the private network of a story. */
  readonly inNetwork?: boolean;
}

/** Plays a story until its end. Errors become part of the outcome. */
export async function playStory(story: Story, playing: Playing): Promise<Outcome> {
  const startedMs = performance.now();
  const ending = await getEnding(story, playing);
  return { id: story.id, seconds: (performance.now() - startedMs) / 1_000, ending };
}

async function getEnding(story: Story, playing: Playing): Promise<Ending> {
  const lacks = await findLacks(story.needs);
  if (lacks.length > 0) {
    return { kind: 'skipped', why: lacks.map(({ what, install }) => `${what} is missing (${install})`).join(', ') };
  }
  const prepared = story.prepare(diceFor(playing.seed, story.id));
  try {
    const { network } = prepared;
    const isOutside = network !== null && playing.inNetwork !== true;
    const playOnce = (): Promise<Ending> =>
      isOutside ? playInNetwork(story.id, network, { ...playing, asRoot: story.needs.includes('sshd') }) : playScene(prepared, playing);
    if (playing.inNetwork === true || playing.mutation !== null) return await playOnce();
    for (let times = 1; ; times += 1) {
      const ending = await playOnce();
      if (ending.kind !== 'reported') return ending;
      const isDoubtful = !ending.passed && ending.overloadedSeconds > 0;
      if (!isDoubtful || times === MAX_ATTEMPTS) return { ...ending, times };
      await waitForQuietMachine();
    }
  } catch (thrown) {
    const { code, message, hint } = toProblem(thrown);
    const why = `${message} ${hint}`.trim();
    if (code === 'LAB_NEEDS' || code === 'PYTHON_PACKAGES') return { kind: 'skipped', why };
    const detail = thrown instanceof HoldfastError ? why : String(thrown instanceof Error ? thrown.stack : thrown);
    return { kind: 'broken', parameters: prepared.parameters, why: detail };
  }
}

type Reported = Extract<Ending, { kind: 'reported' }>;

async function playScene({ parameters, network, play }: ReturnType<Story['prepare']>, { mutation }: Playing): Promise<Reported> {
  const scene = await openScene(mutation);
  try {
    const figures = (await play(scene)).map((figure) => ({ ...figure, wrong: findProblem(figure) }));
    if (!scene.hasHidden && network === null) throw new Error('It hides no setting, so nobody could see that it notices a wrong one.');
    if (!figures.some(({ logged }) => logged !== null)) throw new Error('It compares nothing with what the servers logged.');
    const { overloadedSeconds } = scene;
    return { kind: 'reported', passed: figures.every((figure) => figure.wrong === null), parameters, figures, overloadedSeconds, times: 1 };
  } finally {
    await scene.close();
  }
}
