import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan, TextOrSecret } from '#core/plan/schema/plan.ts';
import type { LoadJob } from '../engine.ts';

/** The values of a plan's secrets by their references, from a job in which they are filled in. */
export function secretValues({ plan, targets, steps, secrets, clientCertificate }: LoadJob): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const take = (written: TextOrSecret | undefined, value: string | null | undefined): void => {
    if (typeof written === 'object' && typeof value === 'string') values.set(written.secret, value);
  };
  for (const [index, { headers, cookie }] of plan.targets.entries()) {
    const resolved = targets[index]?.headers ?? {};
    for (const [name, written] of Object.entries(headers)) take(written, getOwn(resolved, name));
    take(cookie, resolved['Cookie']);
  }
  for (const [index, { headers, body }] of plan.journey.entries()) {
    for (const [name, written] of Object.entries(headers)) take(written, getOwn(steps[index]?.headers, name));
    take(body, steps[index]?.body);
  }
  takeVariables(plan, secrets, take);
  const own = plan.tls.clientCertificate;
  take(own?.key, clientCertificate?.key);
  take(own?.passphrase, clientCertificate?.passphrase);
  return values;
}

function takeVariables(
  { variables }: Plan,
  secrets: LoadJob['secrets'],
  take: (written: TextOrSecret, value: string | undefined) => void,
): void {
  for (const [name, variable] of Object.entries(variables ?? {}))
    if (variable.kind === 'secret') take({ secret: variable.secret }, getOwn(secrets, name));
}
