import { hasPlaceholders } from '#core/journey/template.ts';
import { setOwn } from '#core/ownMembers.ts';
import { isHarmlessHeader } from '#core/plan/harmlessHeaders.ts';
import type { Plan, TextOrSecret } from '#core/plan/schema.ts';

const SECRET_FIELD = /pass(word|wd|code)?$|pwd|secret|token|api_?key|credential|^pin$/i;
const SECRET_IN_BODY = /(pass(word|wd|code)?|pwd|secret|token|api_?key|credential|login_data)["']?\s*[=:]/i;

/**
 * The plan with references in the place of what may be a secret and was written in clear: cookies, values of headers that are
 * not known to be harmless, bodies with a password in them. `keep` puts a value into memory and returns its reference. What is
 * stored with a run is such a plan.
 */
export function withoutInlineSecrets(plan: Plan, keep: (value: string) => string): Plan {
  // What is filled in while a journey is walked is no secret of the plan.
  const hide = (value: TextOrSecret): TextOrSecret =>
    typeof value === 'string' && value !== '' && !hasPlaceholders(value) ? { secret: keep(value) } : value;
  const hideHeaders = (headers: Readonly<Record<string, TextOrSecret>>): Record<string, TextOrSecret> =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isHarmlessHeader(name) ? value : hide(value)]));
  const variables: Record<string, NonNullable<Plan['variables']>[string]> = { ...plan.variables };
  /** A form is text only: what is hidden there becomes a variable. */
  const hideField = (value: string): string => {
    const name = `hidden_${Object.keys(variables).length + 1}`;
    setOwn(variables, name, { kind: 'secret', secret: keep(value) });
    return `{{${name}}}`;
  };
  const hideForm = (form: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(form).map(([name, value]) => [
        name,
        SECRET_FIELD.test(name) && value !== '' && !hasPlaceholders(value) ? hideField(value) : value,
      ]),
    );
  const hideSteps = (steps: Plan['journey']): Plan['journey'] =>
    steps.map((step) => ({
      ...step,
      headers: hideHeaders(step.headers),
      ...(step.form === undefined ? {} : { form: hideForm(step.form) }),
      ...(typeof step.body === 'string' && SECRET_IN_BODY.test(step.body) ? { body: hide(step.body) } : {}),
    }));
  const hidePopulate = (populate: NonNullable<Plan['populate']>): NonNullable<Plan['populate']> => ({
    ...populate,
    ...(populate.journey === undefined ? {} : { journey: hideSteps(populate.journey) }),
    ...(populate.remove === undefined ? {} : { remove: hideSteps(populate.remove) }),
  });
  const hideMonitor = (monitor: NonNullable<Plan['monitors']>[number]): NonNullable<Plan['monitors']>[number] => {
    if ('connection' in monitor) return { ...monitor, connection: hide(monitor.connection) };
    return 'password' in monitor && monitor.password !== undefined ? { ...monitor, password: hide(monitor.password) } : monitor;
  };
  const hidden = {
    ...plan,
    targets: plan.targets.map((target) => ({
      ...target,
      headers: hideHeaders(target.headers),
      ...(target.cookie === undefined ? {} : { cookie: hide(target.cookie) }),
    })),
    journey: hideSteps(plan.journey),
    ...(plan.monitors === undefined ? {} : { monitors: plan.monitors.map(hideMonitor) }),
    ...(plan.stored === undefined
      ? {}
      : { stored: plan.stored.map((count) => ('connection' in count ? { ...count, connection: hide(count.connection) } : count)) }),
    ...(plan.populate === undefined ? {} : { populate: hidePopulate(plan.populate) }),
  };
  return Object.keys(variables).length === 0 ? hidden : { ...hidden, variables };
}
