import { z } from 'zod';
import { planSchema } from './schema/plan.ts';

/**
 * Returns the JSON Schema (draft 2020-12) of a plan file, which editors use for completion. JSON Schema cannot express checks between
 * fields, which `holdfast validate` makes.
 */
export function buildPlanJsonSchema(): object {
  const { $schema, ...rest } = z.toJSONSchema(planSchema, { io: 'input', unrepresentable: 'any', reused: 'ref' });
  return { $schema, title: 'Plan of a Holdfast load test', ...rest };
}
