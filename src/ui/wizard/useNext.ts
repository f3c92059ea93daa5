import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { navigate } from 'wouter/use-hash-location';
import { useAction } from '#ui/shared/backend.ts';
import type { Paste } from './question/usePaste.ts';
import type { Agreement } from './state/answers.ts';
import { startInput } from './state/makePlan.ts';
import type { Readiness } from './state/readiness.ts';
import type { WizardPageId } from './state/types.ts';
import { pageAfter, pagePath } from './StepRail.tsx';
import type { BeforeNext } from './target/LoginForm.tsx';
import type { PlanInProgress, useWizardSeedActions } from './usePlan.ts';
import { useWizard } from './WizardProvider.tsx';

/** Starts the run, or the series, of a plan. */
export function useStart({ made }: PlanInProgress, { keys: agreed }: Agreement) {
  const { choices } = useWizard().state;
  const run = useAction('runs.start', ['runs.list']);
  const series = useAction('series.start', ['runs.list']);
  /** This is a ref instead of state, so that a second click before the next render does not start a second test. */
  const hasStarted = useRef(false);
  return {
    isStarting: run.isPending || series.isPending,
    error: run.error ?? series.error,
    start: (): void => {
      if (!made?.plan || hasStarted.current) return;
      hasStarted.current = true;
      const onSettled = (): void => void (hasStarted.current = false);
      const { series: repeats, ...once } = startInput(made.plan, made.series, choices);
      if (repeats === undefined) run.mutate({ ...once, agreed }, { onSettled, onSuccess: ({ runId }) => navigate(`/runs/${runId}`) });
      else
        series.mutate(
          { document: { plan: once.plan, series: repeats }, agreed },
          { onSettled, onSuccess: ({ seriesId }) => navigate(`/series/${seriesId}`) },
        );
    },
  };
}

/**
 * Time in ms after a click on Next during which Start ignores clicks. Start appears at the same position, where it would get the second
 * click of a double click.
 */
const DOUBLE_CLICK_MS = 500;

interface NextOptions {
  readonly page: WizardPageId;
  readonly readiness: Readiness;
  readonly paste: Paste;
  readonly seed: ReturnType<typeof useWizardSeedActions>;
  readonly start: () => void;
}

/** Handles Next: waits for a pending result, performs the page's own action, and then opens the next page or starts the test. */
export function useNext({ page, readiness, paste, seed, start }: NextOptions) {
  const { dispatch } = useWizard();
  const [waitsOn, setWaitsOn] = useState<WizardPageId | null>(null);
  const [beforeNext, setBeforeNext] = useState<BeforeNext>(null);
  const [isLeaving, setLeaving] = useState(false);
  const keepBeforeNext = useCallback((act: BeforeNext) => setBeforeNext(() => act), []);
  const turnedAt = useRef(Number.NEGATIVE_INFINITY);

  const continueOrStart = (): void => {
    const next = pageAfter(page);
    if (next) {
      turnedAt.current = performance.now();
      dispatch({ type: 'pageOpened', page: next });
      navigate(pagePath(next));
    } else if (performance.now() - turnedAt.current > DOUBLE_CLICK_MS) start();
  };
  const proceed = (): void => {
    if (page === 'question' && !paste.isEmpty) return paste.take();
    if (beforeNext === null) return continueOrStart();
    setLeaving(true);
    void beforeNext()
      .then((isDone) => (isDone ? continueOrStart() : undefined))
      .finally(() => setLeaving(false));
  };
  // Continues as soon as the result has arrived that was pending when Next was clicked.
  const stopWaiting = useEffectEvent(() => {
    setWaitsOn(null);
    if (waitsOn === page && readiness.status === 'ready' && page !== 'check') proceed();
  });
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- [the press has been answered; it must not count again]
    if (waitsOn !== null && readiness.status !== 'pending') stopWaiting();
  }, [waitsOn, readiness.status]);
  const startByItself = useEffectEvent(() => {
    seed.hasStarted();
    if (readiness.status === 'ready') proceed();
  });
  const mayStart = seed.starts && page === 'check' && readiness.status !== 'pending';
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- [it is tried once]
    if (mayStart) startByItself();
  }, [mayStart]);
  return {
    proceed,
    keepBeforeNext,
    isWaiting: isLeaving || (waitsOn === page && readiness.status === 'pending'),
    press: (): void => {
      if (isLeaving) return;
      if (readiness.status === 'ready') proceed();
      else if (readiness.status === 'pending') setWaitsOn(page);
    },
  };
}

export type Next = ReturnType<typeof useNext>;
