import { HoldfastError } from '#core/errors.ts';
import { unconsentedHosts } from '#core/plan/check.ts';
import type { Plan } from '#core/plan/schema.ts';

/** The plan with these public hosts confirmed, as `--allow-host` does. */
export function withConsent(plan: Plan, hosts: readonly string[]): Plan {
  const consentedHosts = [...new Set([...plan.safety.consentedHosts, ...hosts])];
  return { ...plan, safety: { ...plan.safety, consentedHosts } };
}

/** Throws `CONSENT_NEEDED` when somebody else may own one of the hosts and nobody has confirmed it. */
export function requireConsent(plan: Plan): void {
  const open = unconsentedHosts(plan);
  if (open.length > 0) throw hostsNeedConsent(open);
}

export function hostsNeedConsent(open: readonly string[]): HoldfastError {
  return new HoldfastError({
    code: 'CONSENT_NEEDED',
    message: `${open.join(', ')} ${open.length === 1 ? 'is a public host' : 'are public hosts'}, and nothing was sent.`,
    hint: `If ${open.length === 1 ? 'it is' : 'they are'} yours to test, add ${open.map((host) => `--allow-host ${host}`).join(' ')}`,
    data: { hosts: open },
  });
}
