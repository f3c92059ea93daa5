import type { CheckFinding } from '#core/checks/finding.ts';
import { planSchema, type PlanInput } from '#core/plan/schema.ts';
import type { Scene } from './scene.ts';

/** What the app finds about this machine, and the target, for a plan. */
export async function checked(scene: Scene, plan: Omit<PlanInput, 'holdfast' | 'name'>): Promise<readonly CheckFinding[]> {
  const client = await scene.client();
  return client.call('checks.machine', { plan: planSchema.parse({ holdfast: 1, name: 'Story', ...plan }) });
}
