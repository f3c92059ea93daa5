import { HoldfastError } from '#core/errors.ts';
import { checkPlan, publicHosts } from '#core/plan/check.ts';
import type { Plan } from '#core/plan/schema.ts';

/** Throws `INVALID_PLAN` with every error, or `CONSENT_NEEDED` with the public hosts that nobody has confirmed. */
export function mayStart(plan: Plan): void {
  const issues = checkPlan(plan).filter(({ level }) => level === 'error');
  if (issues.length > 0)
    throw new HoldfastError({
      code: 'INVALID_PLAN',
      message: issues.length === 1 ? 'The plan has a mistake.' : `The plan has ${issues.length} mistakes.`,
      hint: issues.map(({ path, message, hint }) => `${path}: ${message} ${hint}`.trim()).join('\n'),
      data: { issues },
    });
  const consented = new Set(plan.safety.consentedHosts.map((host) => host.toLowerCase()));
  const hosts = publicHosts(plan).filter((host) => !consented.has(host.toLowerCase()));
  if (hosts.length > 0)
    throw new HoldfastError({
      code: 'CONSENT_NEEDED',
      message: `${hosts.join(', ')} can be reached from the internet, and nobody has confirmed that you may put load on it.`,
      hint: 'Test only servers that are yours or whose owner has agreed. Confirm the host in the plan (safety.consentedHosts).',
      data: { hosts },
    });
}
