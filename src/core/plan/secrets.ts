import type { Plan, TextOrSecret } from './schema.ts';

/** The references (`env:TOKEN`, `ask:password` …) that have to be resolved before the plan can run, each once. */
export function secretReferences(plan: Plan): string[] {
  const found = new Set<string>();
  const look = (value: TextOrSecret | undefined): void => {
    if (typeof value === 'object') found.add(value.secret);
  };
  for (const target of plan.targets) {
    Object.values(target.headers).forEach(look);
    look(target.cookie);
  }
  for (const step of plan.journey) {
    Object.values(step.headers).forEach(look);
    look(step.body);
  }
  return [...found];
}
