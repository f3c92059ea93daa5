import type { Client } from '#contract/rpc/client.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { connectionSettingsOf, secureAddress } from '#core/plan/url.ts';
import { isRedirect } from '#core/work/journey/loginRedirect.ts';
import { trialPlan } from '#core/work/samples/trial.ts';
import type { CliContext } from '../context.ts';
import type { Consent } from '../input/consent.ts';

const MAX_LOOKED_AT = 4;

/**
 * Whether Holdfast may send a request to the server of a plan file before its load. The server log must contain only the load, unless the plan has a login,
 * which is tried first, or an address without a port, as public sites have.
 */
export function mayLookFirst(plan: Plan): boolean {
  const [first] = plan.journey;
  // The plan measures the redirect itself.
  if (first?.expectStatus?.some(isRedirect) === true) return false;
  return trialPlan(plan) !== null || plan.targets.some(({ url }) => new URL(url).port === '');
}

/**
 * The addresses of a plan, with https if the server redirects every visitor from http to https of the same host and the user agrees.
 * @throws {HoldfastError} `MOVED_TO_HTTPS` where there is nobody to ask: the load would measure a redirect.
 */
export async function followToHttps(
  plan: Plan,
  consent: Pick<Consent, 'agree'>,
  { err, hiddenInput }: Pick<CliContext, 'err' | 'hiddenInput'>,
  client: Client,
): Promise<readonly string[]> {
  const urls = plan.targets.map(({ url }) => url);
  const plain = plan.targets.filter(({ url }) => url.startsWith('http://')).slice(0, MAX_LOOKED_AT);
  if (plain.length === 0) return urls;
  const agreed = await consent.agree({ plan }, client);
  const moved = new Map<string, string>();
  for (const { url, headers } of plain) {
    const { redirect } = await client.call('targets.probe', { target: { url, headers }, agreed, ...connectionSettingsOf(plan) });
    const secure = redirect === null ? null : secureAddress(url, redirect.location);
    if (secure !== null) moved.set(url, secure);
  }
  if (moved.size === 0) return urls;
  await err.write([...moved].map(([from, to]) => `holdfast: ${from} sends visitors to ${to}.\n`).join(''));
  const answer = await hiddenInput('Use the https address? Y/n (what you type is not shown)').catch((thrown: unknown) => {
    if (thrown instanceof HoldfastError && thrown.code === 'NO_TERMINAL') throw movedToHttps([...moved.values()]);
    throw thrown;
  });
  return /^n(o)?$/i.test(answer.trim()) ? urls : urls.map((url) => moved.get(url) ?? url);
}

function movedToHttps(addresses: readonly string[]): HoldfastError {
  return new HoldfastError({
    code: 'MOVED_TO_HTTPS',
    message: 'The server sends visitors from http to https. The load would measure that redirect. Nothing was loaded.',
    hint: `Use its address with https: --set target=${addresses.join(',')}`,
    data: { addresses },
  });
}
