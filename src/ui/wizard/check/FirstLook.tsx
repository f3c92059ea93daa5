import type { Probe } from '#contract/replies.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { hostOf, secureAddress } from '#core/plan/url.ts';
import type { Preset } from '#core/presets/schema.ts';
import { LinkButton } from '#ui/components/Button.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { words } from '#ui/words/words.ts';
import { ResponseStrip } from '../target/ResponseStrip.tsx';
import { journeyLogsIn, logsInItself } from '../state/login.ts';
import { listEntries, type WizardState } from '../state/types.ts';
import { useWizard } from '../WizardProvider.tsx';
import { useEffect, useEffectEvent } from 'react';
import { useProbes } from '../target/useLogin.ts';

const firstLookWords = words.wizard.check.firstLook;

interface Objections {
  /** Whether something must be corrected. */
  readonly isProblem: boolean;
  /** Texts of warnings. */
  readonly warnings: readonly string[];
}

/** Returns the problems and warnings that result from one request to each address. */
export function useObjections(plan: Plan, preset: Preset | null): Objections {
  const { state } = useWizard();
  const isQuiet = logsInByItself(plan, preset, state);
  let isProblem = false;
  const warnings = new Set<string>();
  for (const { id } of state.targets) {
    const probe = state.probes[id];
    if (probe?.status === 'failed') isProblem = true;
    if (probe?.status !== 'responded') continue;
    const { result } = probe;
    if (result.problem !== null) isProblem = true;
    else if (isOfPlan(plan, result) && !hasNoProblem(result, isQuiet)) {
      isProblem ||= result.redirect !== null || result.notes.some(({ level }) => level === 'problem');
      for (const { level, text } of result.notes) if (level === 'warning') warnings.add(text);
    }
  }
  return { isProblem, warnings: [...warnings] };
}

function logsInByItself(plan: Plan, preset: Preset | null, state: WizardState): boolean {
  return journeyLogsIn(plan) || (preset !== null && logsInItself(preset, listEntries(state).answers));
}

/** Results of one request to each address. They are visible if there are problems, and otherwise collapsed. */
export function TargetProbes({ plan, preset }: { readonly plan: Plan; readonly preset: Preset | null }) {
  const { state } = useWizard();
  const isQuiet = logsInByItself(plan, preset, state);
  return state.targets.map((target) => {
    const probe = state.probes[target.id];
    if (probe === undefined || probe.status === 'idle' || probe.status === 'asking') return null;
    const strip = <ResponseStrip target={target} probe={probe} isOneOfMany={state.targets.length > 1} logsInItself={isQuiet} />;
    const title = firstLookWords.title(hostOf(target.url));
    const answer = probe.status === 'responded' && probe.result.problem === null ? probe.result : null;
    if (answer !== null && !isOfPlan(plan, answer)) return null;
    if (answer !== null && hasNoProblem(answer, isQuiet))
      return (
        <Disclosure key={target.id} title={title} summary={`${answer.status ?? ''} ${answer.statusText}`}>
          {strip}
        </Disclosure>
      );
    return (
      <section key={target.id} aria-label={title}>
        <Stack gap={12}>
          {strip}
          <div>
            <LinkButton to="/new/target">{firstLookWords.change}</LinkButton>
          </div>
        </Stack>
      </section>
    );
  });
}

/** Returns whether a probe has no problem. If the plan's users log in themselves, a login form is not a problem. */
function hasNoProblem({ notes }: Probe, isQuiet: boolean): boolean {
  return notes.every(({ level, asksLogin }) => level === 'ok' || level === 'info' || (isQuiet && asksLogin === true));
}

/**
 * Returns whether the response from the address itself matters for the test. It does if it succeeded, if the plan requests that page, if a
 * login is required, or if the certificate is invalid. Other failures are ignored, because an API may have no page at its root.
 */
export function isOfPlan({ journey }: Pick<Plan, 'journey'>, { url, status, redirect, certificate, notes }: Probe): boolean {
  // A redirect to https usually applies to all paths on a server.
  if (redirect !== null && secureAddress(url, redirect.location) !== null) return true;
  if (journey.some(({ method, path }) => method === 'GET' && (path === '' || path === '/'))) return true;
  if (notes.some(({ asksLogin }) => asksLogin) || certificate?.valid === false) return true;
  return status !== null && status < 400 && redirect === null;
}

/** Maximum number of addresses that are probed. */
const MAX_ADDRESSES = 8;

/**
 * Sends one request to each new address as soon as that is allowed. The results are shown on the pages Check and Target. On Target, a login
 * form that was found makes the account fields visible.
 */
export function useFirstLook(isAllowed: boolean): void {
  const { state } = useWizard();
  const probes = useProbes();
  const unseen = state.targets.slice(0, MAX_ADDRESSES).filter(({ id }) => state.probes[id] === undefined);
  const look = useEffectEvent(() => probes.sendAll(unseen));
  const isDue = isAllowed && unseen.length > 0;
  useEffect(() => {
    if (isDue) look();
  }, [isDue]);
}
