import type { ClientCertificate } from '#core/plan/certificates.ts';
import { basicAuthorization } from '#core/work/journey/escape.ts';
import { replaceHiddenByVariables, revealPlan, revealText, valueOfReference } from '#core/plan/hiddenText.ts';
import type { Plan, Target, TextOrSecret } from '#core/plan/schema/plan.ts';
import type { LoadJob, ResolvedTarget } from '#engine/engine.ts';

export interface JobFacts {
  readonly runId: string;
  readonly version: string;
  /** Values of the plan's references. */
  readonly values: ReadonlyMap<string, string>;
  /** Rows of the plan's feeds; default: none. */
  readonly feeds?: LoadJob['feeds'];
  /** Contents of the files that steps send; default: none. */
  readonly files?: LoadJob['files'];
  readonly largeFiles?: LoadJob['largeFiles'];
}

/** Returns the job for the engine, with resolved secrets. The job is never stored. Every reference must be in `values`. */
export function resolveJob(givenPlan: Plan, { runId, version, values, feeds = {}, files = {}, largeFiles }: JobFacts): LoadJob {
  // k6 reads secrets from environment variables, because its script is a file.
  const plan = revealPlan(givenPlan.engine === 'k6' ? replaceHiddenByVariables(givenPlan) : givenPlan, values);
  return {
    runId,
    plan,
    targets: plan.targets.map((target) => resolveTarget(target, values)),
    ...(plan.namedTargets === undefined
      ? {}
      : {
          namedTargets: Object.fromEntries(
            Object.entries(plan.namedTargets).map(([name, target]) => [name, resolveTarget(target, values)]),
          ),
        }),
    steps: plan.journey.map(({ headers, body }) => ({
      headers: resolveHeaders(headers, values),
      body: body === undefined ? null : resolveText(body, values),
    })),
    secrets: secretVariables(plan, values),
    feeds,
    files,
    ...(largeFiles === undefined ? {} : { largeFiles }),
    sampling: 'failures',
    clientCertificate: resolveClientCertificate(plan.tls, values),
    userAgent: plan.identify ? `Holdfast/${version} (run ${runId})` : null,
  };
}

export function secretVariables({ variables = {} }: Pick<Plan, 'variables'>, values: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, variable]) =>
      variable.kind === 'secret' ? [[name, resolveText({ secret: variable.secret }, values)]] : [],
    ),
  );
}

/** Returns the client certificate with resolved secrets; null for a plan without one. */
export function resolveClientCertificate(
  { clientCertificate: own }: Plan['tls'],
  values: ReadonlyMap<string, string>,
): ClientCertificate | null {
  if (own === undefined) return null;
  return {
    certificate: own.certificate,
    key: resolveText(own.key, values),
    passphrase: own.passphrase === undefined ? null : resolveText(own.passphrase, values),
  };
}

export function resolveTarget({ url, headers, cookie, auth }: Target, values: ReadonlyMap<string, string>): ResolvedTarget {
  const basic =
    auth === undefined ? {} : { Authorization: basicAuthorization(revealText(auth.user, values), resolveText(auth.password, values)) };
  const resolved = { ...resolveHeaders(headers, values), ...basic };
  return { url: revealText(url, values), headers: cookie === undefined ? resolved : { ...resolved, Cookie: resolveText(cookie, values) } };
}

function resolveHeaders(headers: Readonly<Record<string, TextOrSecret>>, values: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, resolveText(value, values)]));
}

function resolveText(text: TextOrSecret, values: ReadonlyMap<string, string>): string {
  if (typeof text === 'string') return revealText(text, values);
  return valueOfReference(text.secret, values);
}
