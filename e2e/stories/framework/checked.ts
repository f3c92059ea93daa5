import type { CheckFinding } from '#core/machines/checks/finding.ts';
import { planSchema, type PlanInput } from '#core/plan/schema/plan.ts';
import type { Scene } from './scene.ts';

/** Returns what the app finds about this machine for a plan, either as load generator or as target. */
export async function checkMachine(
  scene: Scene,
  plan: Omit<PlanInput, 'holdfast' | 'name'>,
  role: 'generator' | 'target' = 'generator',
): Promise<readonly CheckFinding[]> {
  const client = await scene.client();
  return client.call('checks.machine', { role, plan: planSchema.parse({ holdfast: 1, name: 'Story', ...plan }) });
}
