import { listLabAddresses, wantsLogin } from '#core/presets/build.ts';
import { standIns } from '#core/presets/pageList.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { cookiesOf } from '#core/work/journey/walked.ts';
import { listAskedQuestions } from '#core/presets/conditions.ts';
import { fillLabAnswers } from '#core/presets/lab.ts';
import type { Preset } from '#core/presets/schema.ts';
import { cacheDirectoryFor } from '#lab/cacheDirectory.ts';
import type { RunningLab } from '#lab/lab.ts';
import type { CliContext } from '../context.ts';
import { planFromPreset } from '../plans/fromPreset.ts';
import { readSettings, type Settings } from '../plans/settings.ts';
import type { PlanSource } from '../plans/source.ts';
import { NO_ACCESS } from '../plans/access.ts';

/**
 * Starts the practice server of a preset, calls `use` with settings for the server, and then stops the server. Given settings take
 * precedence, but cannot name another server. Throws `NO_LAB`, `LAB_AND_TARGET`, and errors from the start.
 */
export async function withPracticeServer<Result>(
  source: PlanSource,
  set: readonly string[],
  context: CliContext,
  use: (set: string[]) => Promise<Result>,
): Promise<Result> {
  const { preset, lab } = requirePresetWithLab(source);
  const { settings } = readSettings(set, preset.questions);
  if (settings.targets.length > 0)
    throw new HoldfastError({
      code: 'LAB_AND_TARGET',
      message: 'Test either the practice server or your own target, not both.',
      hint: 'Leave out either --lab or --set target=…',
    });
  // Loaded on demand, because practice servers include a web server that no other run needs.
  const { findLab } = await import('#lab/registry.ts');
  const server = await findLab(lab).start(preset.labOptions, {
    entry: context.labEntry,
    cacheDirectory: cacheDirectoryFor(process.env),
    environment: process.env,
    onProgress: (text) => void context.err.write(`${text}\n`),
  });
  try {
    return await use([...practiceSettings(preset, settings, server), ...set]);
  } finally {
    await server.stop();
  }
}

function requirePresetWithLab(source: PlanSource): { preset: Preset; lab: string } {
  if (source.kind === 'preset' && source.preset.lab !== undefined) return { preset: source.preset, lab: source.preset.lab };
  throw new HoldfastError({
    code: 'NO_LAB',
    message: 'This has no practice server.',
    hint: 'Use --lab with a preset that has one (see: holdfast presets). For your own plan: holdfast lab NAME -- holdfast run PLAN',
  });
}

/** Returns settings for the practice server in the syntax of `--set`. */
function practiceSettings(preset: Preset, givenSettings: Settings, { urls, addresses, accounts, folder, control }: RunningLab): string[] {
  const filled = fillLabAnswers(preset, { folder, control, addresses });
  const answers = { ...filled, ...givenSettings.answers };
  const labels = listLabAddresses(preset, answers);
  const chosenNames = addresses.filter(({ label }) => labels.includes(label)).map(({ url }) => url);
  const targets = chosenNames.length > 0 ? chosenNames : urls;
  const asked = new Set(listAskedQuestions(preset, answers).map(({ id }) => id));
  const forLab = Object.entries(filled).filter(([id]) => asked.has(id));
  const all = { ...Object.fromEntries(forLab), ...givenSettings.answers };
  const { plan } = planFromPreset(preset, { ...givenSettings, targets, answers: { ...all, ...standIns(preset, all) } }, NO_ACCESS);
  const isLetIn = givenSettings.username !== undefined || givenSettings.cookies.length > 0;
  const [account] = accounts;
  const logsIn = wantsLogin(preset, all) && !isLetIn && account !== undefined && plan !== null && cookiesOf(plan) === 'ignore';
  return [
    ...targets.map((url) => `target=${url}`),
    ...forLab.map(([id, answer]) => `${id}=${answer}`),
    ...(logsIn ? [`username=${account.username}`, `password=${account.password}`] : []),
  ];
}
