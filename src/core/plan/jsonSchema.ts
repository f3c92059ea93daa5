import { z } from 'zod';
import { planSchema } from './schema/plan.ts';

/**
 * Returns the JSON Schema (draft 2020-12) of a plan as it is written, which editors use for completion. Checks between fields are not part of a JSON Schema:
 * `holdfast validate` makes them.
 */
export function buildPlanJsonSchema(): object {
  const { $schema, ...rest } = z.toJSONSchema(planSchema, { io: 'input', unrepresentable: 'any', reused: 'ref' });
  return { $schema, title: 'Plan of a Holdfast load test', ...rest };
}
