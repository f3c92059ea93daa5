import { StepChecks } from '../bodyCheck/stepChecks.ts';
import type { WorkerData } from '../messages.ts';
import { buildRequest } from '../requestBytes.ts';
import type { DrivenStep } from './stageLoad.ts';

/**
 * The steps of the plan's journey as they are sent to one target.
 * @throws {HoldfastError} for a request that cannot be built.
 */
export function drivenSteps(data: WorkerData, targetIndex: number): DrivenStep[] {
  const target = data.targets[targetIndex];
  if (target === undefined) throw new RangeError(`The plan has no target ${targetIndex}.`);
  const { plan, userAgent } = data;
  const own: Record<string, string> = userAgent === null ? {} : { 'User-Agent': userAgent };
  const closing: Record<string, string> = plan.connections.reuse === 'never' ? { Connection: 'close' } : {};
  return plan.journey.map((step, index) => {
    const resolved = data.steps[index];
    const expected = step.expectStatus === undefined ? null : new Set(step.expectStatus);
    return {
      request: buildRequest({
        method: step.method,
        targetUrl: target.url,
        path: step.path,
        headers: [own, target.headers, resolved?.headers ?? {}, closing],
        body: resolved?.body ?? null,
      }),
      checks: step.checks.length === 0 ? null : new StepChecks(step.checks),
      isExpected: expected === null ? (status) => status >= 200 && status < 300 : (status) => expected.has(status),
    };
  });
}
