import { isHarmlessHeader } from '#core/plan/harmlessHeaders.ts';
import type { Plan, TextOrSecret } from '#core/plan/schema.ts';

const SECRET_IN_BODY = /(pass(word|wd|code)?|pwd|secret|token|api_?key|credential|login_data)["']?\s*[=:]/i;

/**
 * The plan with references in the place of what may be a secret and was written in clear: cookies, values of headers that are
 * not known to be harmless, bodies with a password in them. `keep` puts a value into memory and returns its reference. What is
 * stored with a run is such a plan.
 */
export function withoutInlineSecrets(plan: Plan, keep: (value: string) => string): Plan {
  const hide = (value: TextOrSecret): TextOrSecret => (typeof value === 'string' && value !== '' ? { secret: keep(value) } : value);
  const hideHeaders = (headers: Readonly<Record<string, TextOrSecret>>): Record<string, TextOrSecret> =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isHarmlessHeader(name) ? value : hide(value)]));
  return {
    ...plan,
    targets: plan.targets.map((target) => ({
      ...target,
      headers: hideHeaders(target.headers),
      ...(target.cookie === undefined ? {} : { cookie: hide(target.cookie) }),
    })),
    journey: plan.journey.map((step) => ({
      ...step,
      headers: hideHeaders(step.headers),
      ...(typeof step.body === 'string' && SECRET_IN_BODY.test(step.body) ? { body: hide(step.body) } : {}),
    })),
  };
}
