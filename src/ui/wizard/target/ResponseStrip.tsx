import type { ReactNode } from 'react';
import type { Probe } from '#contract/replies.ts';
import { formatBytes, formatMs } from '#core/base/units.ts';
import { hostOf, secureAddress } from '#core/plan/url.ts';
import { Button } from '#ui/components/Button.tsx';
import { classes } from '#ui/components/classes.ts';
import { LevelList } from '#ui/components/Marks.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { Skeleton } from '#ui/components/Placeholders.tsx';
import { Term } from '#ui/components/Term.tsx';
import { LOCALE, words } from '#ui/words/words.ts';
import type { Asked, TargetEntry } from '../state/types.ts';
import { useWizard } from '../WizardProvider.tsx';
import { useProbes } from './useLogin.ts';
import styles from './TargetPage.module.css';

interface ResponseStripProps {
  readonly target: TargetEntry;
  readonly probe: Exclude<Asked<Probe>, { status: 'idle' }>;
  /** Whether there are several targets. The notes of targets without problems are then left out. */
  readonly isOneOfMany: boolean;
  /** Whether the plan's users log in. If they do, a required login is not a warning. */
  readonly logsInItself: boolean;
}

/** Result of one request with notes, such as 200 · 6.8 kB · 49 ms · keep-alive · nginx · TLS valid until …. */
export function ResponseStrip({ target, probe, isOneOfMany, logsInItself }: ResponseStripProps) {
  const probes = useProbes();
  const retry = (): void => probes.sendAll([target]);
  switch (probe.status) {
    case 'asking':
      return <Skeleton waitingFor={words.wizard.target.sending(hostOf(target.url))} heights={[64]} />;
    case 'failed':
      return <ProblemBanner problem={probe.problem} onRetry={retry} retryLabel={words.wizard.target.sendAgain} />;
    case 'responded':
      return probe.result.problem ? (
        <ProblemBanner problem={probe.result.problem} onRetry={retry} retryLabel={words.wizard.target.sendAgain} />
      ) : (
        <ProbedResponse target={target} probe={probe.result} isOneOfMany={isOneOfMany} logsInItself={logsInItself} />
      );
    default:
      return probe satisfies never;
  }
}

function ProbedResponse({ target, probe, isOneOfMany, logsInItself }: Omit<ResponseStripProps, 'probe'> & { readonly probe: Probe }) {
  const stripWords = words.wizard.target.strip;
  const notes = probe.notes
    .map(({ asksLogin, ...note }) => (logsInItself && asksLogin ? ({ level: 'ok', text: stripWords.logsInItself } as const) : note))
    .filter(({ level }) => !isOneOfMany || level !== 'ok');
  return (
    <div className={styles.strip} aria-live="polite">
      <dl className={styles.facts} aria-label={stripWords.title}>
        <Fact name={stripWords.status} tone={toTone(probe.status)}>
          {probe.status ?? stripWords.noResponse} {probe.statusText}
        </Fact>
        <Fact name={stripWords.size}>{formatBytes(probe.bodyBytes)}</Fact>
        <Fact name={stripWords.time}>{formatMs(probe.totalMs)}</Fact>
        {probe.keepAlive === null ? null : (
          <Fact name={stripWords.connection}>
            {probe.keepAlive ? <Term name="keepAlive">{stripWords.keepAlive}</Term> : stripWords.closes}
          </Fact>
        )}
        {probe.server ? <Fact name={stripWords.server}>{probe.server}</Fact> : null}
        {probe.certificate ? (
          <Fact name={stripWords.tls} tone={probe.certificate.valid ? 'good' : 'bad'}>
            {/* The reason is in a note below. */}
            {probe.certificate.valid ? stripWords.tlsValid(formatDay(probe.certificate.validUntil)) : stripWords.tlsProblem}
          </Fact>
        ) : null}
      </dl>
      <LevelList lines={notes.map(({ level, text }) => ({ key: text, level, text }))} />
      {probe.redirect ? <TakeRedirect target={target} redirect={probe.redirect} /> : null}
    </div>
  );
}

/** Button that replaces the address with the target of a redirect that does not lead to a login, such as one to https. */
function TakeRedirect({ target, redirect }: { readonly target: TargetEntry; readonly redirect: NonNullable<Probe['redirect']> }) {
  const { state, dispatch } = useWizard();
  const url = secureAddress(target.url, redirect.location) ?? redirectTarget(target.url, redirect);
  if (url === null) return null;
  const useRedirect = (): void => {
    dispatch({ type: 'targetChanged', id: target.id, change: { url } });
    dispatch({ type: 'pageOpened', page: state.reached });
  };
  return (
    <div>
      <Button onPress={useRedirect}>{words.wizard.target.takeRedirect(url)}</Button>
    </div>
  );
}

/** Returns the target of a redirect; null if it leads to a login or to an invalid address. */
function redirectTarget(from: string, { location, looksLikeLogin }: NonNullable<Probe['redirect']>): string | null {
  return looksLikeLogin || !URL.canParse(location, from) ? null : new URL(location, from).href;
}

type FactTone = 'good' | 'middling' | 'bad';

function Fact({ name, tone, children }: { readonly name: string; readonly tone?: FactTone | null; readonly children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd className={classes(tone && styles[tone])}>{children}</dd>
    </div>
  );
}

function toTone(status: number | null): FactTone {
  if (status === null || status >= 400) return 'bad';
  return status >= 300 ? 'middling' : 'good';
}

function formatDay(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' }).format(date);
}
