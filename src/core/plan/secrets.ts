import { hiddenReferences } from './hiddenText.ts';
import type { Plan, TextOrSecret } from './schema/plan.ts';

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
  for (const monitor of plan.monitors ?? []) {
    if ('connection' in monitor) look(monitor.connection);
    if ('password' in monitor) look(monitor.password);
  }
  for (const count of plan.stored ?? []) if ('connection' in count) look(count.connection);
  for (const variable of Object.values(plan.variables ?? {})) if (variable.kind === 'secret') found.add(variable.secret);
  clientCertificateReferences(plan.tls).forEach((reference) => found.add(reference));
  return [...new Set([...found, ...hiddenReferences(plan)])];
}

/** The references of the key that belongs to the client certificate; empty without one. */
export function clientCertificateReferences({ clientCertificate: own }: Plan['tls']): string[] {
  if (own === undefined) return [];
  return own.passphrase === undefined ? [own.key.secret] : [own.key.secret, own.passphrase.secret];
}
