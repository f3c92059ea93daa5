import { z } from 'zod';
import type { Answers } from '#core/presets/schema.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { LabProcess } from '../framework/labProcess.ts';
import type { Scene } from '../framework/scene.ts';

const listSchema = z.object({ people: z.array(z.string()) });

/**
 * Runs the preset, in which everybody sends the form at one bell. Returns the result, and the e-mail address in each row that was stored.
 */
export async function rushFor(scene: Scene, lab: LabProcess, answers: Answers): Promise<{ result: RunResult; rows: readonly string[] }> {
  const client = await scene.client();
  const listUrl = lab.address('List');
  const { plan, issues } = await client.call('presets.build', {
    id: 'registration',
    answers: { start: 'send', comeSeconds: 4, list: 'given', listUrl, fullText: 'all places are taken', ...answers },
    targets: [{ url: lab.urls[0] ?? '', headers: {} }],
  });
  if (plan === null) throw new Error(issues.map(({ message }) => message).join(' '));
  // The last stage is shortened, because people who get no response reload within the first seconds, and the rest of the stage is not
  // needed.
  const stages = plan.load.stages.map((stage) => ('seconds' in stage && stage.name === 'opening' ? { ...stage, seconds: 8 } : stage));
  const result = await scene.run({ ...plan, load: { ...plan.load, stages } as typeof plan.load });
  return { result, rows: listSchema.parse(await (await fetch(listUrl)).json()).people };
}
