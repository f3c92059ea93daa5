import type { Probe } from '#contract/replies.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Preset } from '#core/presets/schema.ts';
import { LinkButton } from '#ui/components/Button.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { words } from '#ui/words/words.ts';
import { AnswerStrip } from '../target/AnswerStrip.tsx';
import { logsInItself } from '../state/login.ts';
import { entriesOf, type TargetEntry } from '../state/types.ts';
import { useWizard } from '../WizardProvider.tsx';

const say = words.wizard.check.firstLook;

/** What one request to each address has found out: open where it speaks against the test, folded where all is fine. */
export function FirstLook({ plan, preset }: { readonly plan: Plan; readonly preset: Preset | null }) {
  const { state } = useWizard();
  const isQuiet = preset !== null && logsInItself(preset, entriesOf(state).answers);
  return state.targets.map((target) => {
    const probe = state.probes[target.id];
    if (probe?.status !== 'answered' || probe.result.problem !== null || !isAbout(plan, probe.result)) return null;
    const strip = <AnswerStrip target={target} probe={probe} isOneOfMany={state.targets.length > 1} logsInItself={isQuiet} />;
    const isFine = probe.result.notes.every(
      ({ level, asksLogin }) => level === 'ok' || level === 'info' || (isQuiet && asksLogin === true),
    );
    if (isFine)
      return (
        <Disclosure key={target.id} title={say.title(hostOf(target))} summary={`${probe.result.status ?? ''} ${probe.result.statusText}`}>
          {strip}
        </Disclosure>
      );
    return (
      <section key={target.id} aria-label={say.title(hostOf(target))}>
        {strip}
        <LinkButton to="/new/target">{say.change}</LinkButton>
      </section>
    );
  });
}

/**
 * Whether what the address itself answers says something about the test: the plan asks for that very page, or somebody has to log in, or a certificate is in the way. An API
 * may well have nothing at its root.
 */
export function isAbout({ journey }: Pick<Plan, 'journey'>, { status, redirect, certificate, notes }: Probe): boolean {
  if (journey.some(({ method, path }) => method === 'GET' && (path === '' || path === '/'))) return true;
  if (notes.some(({ asksLogin }) => asksLogin) || certificate?.valid === false) return true;
  return status !== null && status < 400 && redirect === null;
}

function hostOf({ url }: TargetEntry): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
