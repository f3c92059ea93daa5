import type { Probe } from '#contract/replies.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { hostOf, secureAddress } from '#core/plan/url.ts';
import type { Preset } from '#core/presets/schema.ts';
import { LinkButton } from '#ui/components/Button.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { words } from '#ui/words/words.ts';
import { AnswerStrip } from '../target/AnswerStrip.tsx';
import { journeyLogsIn, logsInItself } from '../state/login.ts';
import { entriesOf, type WizardState } from '../state/types.ts';
import { useWizard } from '../WizardProvider.tsx';

const say = words.wizard.check.firstLook;

interface Objections {
  /** Something has to be corrected. */
  readonly isProblem: boolean;
  /** What only warns. */
  readonly warnings: readonly string[];
}

/** What one request to each address has found out that speaks against the test. */
export function useObjections(plan: Plan, preset: Preset | null): Objections {
  const { state } = useWizard();
  const isQuiet = logsInByItself(plan, preset, state);
  let isProblem = false;
  const warnings = new Set<string>();
  for (const { id } of state.targets) {
    const probe = state.probes[id];
    if (probe?.status === 'failed') isProblem = true;
    if (probe?.status !== 'answered') continue;
    const { result } = probe;
    if (result.problem !== null) isProblem = true;
    else if (isAbout(plan, result) && !isFine(result, isQuiet)) {
      isProblem ||= result.redirect !== null || result.notes.some(({ level }) => level === 'problem');
      for (const { level, text } of result.notes) if (level === 'warning') warnings.add(text);
    }
  }
  return { isProblem, warnings: [...warnings] };
}

function logsInByItself(plan: Plan, preset: Preset | null, state: WizardState): boolean {
  return journeyLogsIn(plan) || (preset !== null && logsInItself(preset, entriesOf(state).answers));
}

/** What one request to each address has found out: open where it speaks against the test, folded where all is fine. */
export function FirstLook({ plan, preset }: { readonly plan: Plan; readonly preset: Preset | null }) {
  const { state } = useWizard();
  const isQuiet = logsInByItself(plan, preset, state);
  return state.targets.map((target) => {
    const probe = state.probes[target.id];
    if (probe === undefined || probe.status === 'idle' || probe.status === 'asking') return null;
    const strip = <AnswerStrip target={target} probe={probe} isOneOfMany={state.targets.length > 1} logsInItself={isQuiet} />;
    const title = say.title(hostOf(target.url));
    const answer = probe.status === 'answered' && probe.result.problem === null ? probe.result : null;
    if (answer !== null && !isAbout(plan, answer)) return null;
    if (answer !== null && isFine(answer, isQuiet))
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
            <LinkButton to="/new/target">{say.change}</LinkButton>
          </div>
        </Stack>
      </section>
    );
  });
}

/** Nothing speaks against the test; where its users log in themselves, a login form does not either. */
function isFine({ notes }: Probe, isQuiet: boolean): boolean {
  return notes.every(({ level, asksLogin }) => level === 'ok' || level === 'info' || (isQuiet && asksLogin === true));
}

/**
 * Whether what the address itself answers says something about the test: the plan asks for that very page, or somebody has to log in, or a certificate is in the way. An API
 * may well have nothing at its root.
 */
export function isAbout({ journey }: Pick<Plan, 'journey'>, { url, status, redirect, certificate, notes }: Probe): boolean {
  // All paths of the server are sent on.
  if (redirect !== null && secureAddress(url, redirect.location) !== null) return true;
  if (journey.some(({ method, path }) => method === 'GET' && (path === '' || path === '/'))) return true;
  if (notes.some(({ asksLogin }) => asksLogin) || certificate?.valid === false) return true;
  return status !== null && status < 400 && redirect === null;
}
