import type { Plan, TextOrSecret } from '#core/plan/schema.ts';
import { isSensitiveHeader } from '../input/headers.ts';
import type { KeepSecret } from '../input/secrets.ts';

/** Replaces cookies and headers that let somebody in by references, so that the stored plan holds no secret. */
export async function protectPlan(plan: Plan, keep: KeepSecret): Promise<Plan> {
  const protect = async (value: TextOrSecret): Promise<TextOrSecret> => (typeof value === 'string' ? keep(value) : value);
  const protectHeaders = async (headers: Record<string, TextOrSecret>): Promise<Record<string, TextOrSecret>> => {
    const safe: Record<string, TextOrSecret> = {};
    for (const [name, value] of Object.entries(headers)) safe[name] = isSensitiveHeader(name) ? await protect(value) : value;
    return safe;
  };
  const targets: Plan['targets'] = [];
  for (const target of plan.targets)
    targets.push({
      ...target,
      headers: await protectHeaders(target.headers),
      ...(target.cookie === undefined ? {} : { cookie: await protect(target.cookie) }),
    });
  const journey: Plan['journey'] = [];
  for (const step of plan.journey) journey.push({ ...step, headers: await protectHeaders(step.headers) });
  return { ...plan, targets, journey };
}
