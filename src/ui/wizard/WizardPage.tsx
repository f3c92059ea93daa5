import { ArrowLeft, ArrowRight, Play, RotateCcw } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { navigate } from 'wouter/use-hash-location';
import { HERE } from '#core/plan/schema/hosts.ts';
import { useAction, useCall } from '#ui/shared/backend.ts';
import { notify } from '#ui/shared/notices.tsx';
import { later } from '#ui/shared/later.ts';
import { Button } from '#ui/components/Button.tsx';
import { Page, Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { Skeleton } from '#ui/components/Placeholders.tsx';
import { words } from '#ui/words/words.ts';
import { AgreementCard } from './check/AgreementCard.tsx';
import { type Trial, useTrial } from './check/useTrial.ts';
import { pageAfter, pageBefore, pageLooks, pagePath, StepRail } from './StepRail.tsx';
import { QuestionPage } from './question/QuestionPage.tsx';
import { type Paste, usePaste } from './question/usePaste.ts';
import {
  checkReadiness,
  loadReadiness,
  type PasteFacts,
  questionReadiness,
  type Readiness,
  targetReadiness,
  type WhereFacts,
  whereReadiness,
} from './state/readiness.ts';
import { isBefore } from './state/reducer.ts';
import { WIZARD_PAGES, type WizardPageId, type WizardState } from './state/types.ts';
import { type Agreement, agreementOf } from './state/answers.ts';
import { toBeStarted } from './state/makePlan.ts';
import { rolesOf } from './state/places.ts';
import type { BeforeNext } from './target/LoginForm.tsx';
import { type PlanInProgress, usePlan, useSeed } from './usePlan.ts';
import { useWizard } from './WizardProvider.tsx';
import styles from './WizardPage.module.css';

// Every test begins with the question page; the pages after it are loaded when opened.
const HostProblem = lazy(later(async () => ({ default: (await import('#ui/shared/machines/HostProblem.tsx')).HostProblem })));
const TargetPage = lazy(later(async () => ({ default: (await import('./target/TargetPage.tsx')).TargetPage })));
const LoadPage = lazy(later(async () => ({ default: (await import('./load/LoadPage.tsx')).LoadPage })));
const CheckPage = lazy(later(async () => ({ default: (await import('./check/CheckPage.tsx')).CheckPage })));

/** The second press of a double click on Next must not press Start, which appears in the same position. */
const DOUBLE_CLICK_MS = 500;

/** Frame of the wizard: navigation, the current page and a footer that names what is missing. `asked`: page in the address. */
export function WizardPage({ asked }: { readonly asked: string | null }) {
  const { state, dispatch } = useWizard();
  const seed = useSeed();
  const plan = usePlan(state);
  const startRun = useAction('runs.start', ['runs.list']);
  const startSeries = useAction('series.start', ['runs.list']);
  const isStarting = startRun.isPending || startSeries.isPending;
  const startError = startRun.error ?? startSeries.error;
  const page = pageFor(asked, state.reached);
  const heading = useHeadlineFocus(page);
  const paste = usePaste(page === 'question');
  const hosts = useCall('hosts.list', {}).data?.map(({ name }) => name) ?? null;
  const roles = rolesOf(state.choices.places, plan.made?.plan ?? null);
  const agreement = agreementOf(state, plan.made?.asks ?? [], plan.made?.open ?? []);
  const trial = useTrial({
    plan: page === 'check' ? (plan.made?.plan ?? null) : null,
    agreed: agreement.keys,
    // A repeated run needs no trial.
    isAllowed:
      !seed.starts &&
      plan.facts.hasPlan &&
      agreement.missing.length === 0 &&
      roles.every(({ name, role }) => role !== 'generator' || name === HERE),
  });
  const readiness = readinessOf(page, state, plan, paste, agreement, { roles, hosts }, isStarting);
  const [waitsOn, setWaitsOn] = useState<WizardPageId | null>(null);
  const isWaiting = waitsOn === page && readiness.status === 'pending';

  const turnedAt = useRef(Number.NEGATIVE_INFINITY);
  /** A ref instead of state, so that a second press before the next render does not start a second test. */
  const hasStarted = useRef(false);

  const [beforeNext, setBeforeNext] = useState<BeforeNext>(null);
  const [isLeaving, setLeaving] = useState(false);
  const keepBeforeNext = useCallback((act: BeforeNext) => setBeforeNext(() => act), []);

  const goOn = (): void => {
    if (page === 'question' && !paste.isEmpty) return paste.take();
    if (beforeNext === null) return turnOrStart();
    setLeaving(true);
    void beforeNext()
      .then((isDone) => (isDone ? turnOrStart() : undefined))
      .finally(() => setLeaving(false));
  };
  const turnOrStart = (): void => {
    const next = pageAfter(page);
    if (next) {
      turnedAt.current = performance.now();
      dispatch({ type: 'pageOpened', page: next });
      navigate(pagePath(next));
    } else if (plan.made?.plan && !hasStarted.current && performance.now() - turnedAt.current > DOUBLE_CLICK_MS) {
      hasStarted.current = true;
      const onSettled = (): void => void (hasStarted.current = false);
      const { keys: agreed } = agreement;
      const { series, ...run } = toBeStarted(plan.made.plan, plan.made.series, state.choices);
      if (series === undefined) startRun.mutate({ ...run, agreed }, { onSettled, onSuccess: ({ runId }) => navigate(`/runs/${runId}`) });
      else
        startSeries.mutate(
          { document: { plan: run.plan, series }, agreed },
          { onSettled, onSuccess: ({ seriesId }) => navigate(`/series/${seriesId}`) },
        );
    }
  };
  const pressNext = (): void => {
    if (isLeaving) return;
    if (readiness.status === 'ready') goOn();
    else if (readiness.status === 'pending') setWaitsOn(page);
  };
  // Next was pressed while a result was pending: continue as soon as it arrives.
  const stopWaiting = useEffectEvent(() => {
    setWaitsOn(null);
    if (waitsOn === page && readiness.status === 'ready' && page !== 'check') goOn();
  });
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- [the press has been answered; it must not count again]
    if (waitsOn !== null && readiness.status !== 'pending') stopWaiting();
  }, [waitsOn, readiness.status]);
  const startByItself = useEffectEvent(() => {
    seed.hasStarted();
    if (readiness.status === 'ready') goOn();
  });
  const mayStart = seed.starts && page === 'check' && readiness.status !== 'pending';
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- [it is tried once]
    if (mayStart) startByItself();
  }, [mayStart]);
  useEffect(() => {
    if (asked !== null && asked !== page) navigate(pagePath(page), { replace: true });
  }, [asked, page]);

  const { title, story } = pageLooks[page];
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        pressNext();
      }}
    >
      <Page
        title={title}
        story={story}
        titleRef={heading}
        rail={<StepRail page={page} reached={state.reached} />}
        actions={
          state.source ? (
            <Button
              look="quiet"
              icon={<RotateCcw />}
              onPress={() => {
                const left = state;
                dispatch({ type: 'startedOver' });
                navigate('/new');
                notify(words.wizard.startedOver, {
                  label: words.app.undo,
                  act: () => {
                    dispatch({ type: 'takenBack', state: left });
                    navigate(pagePath(page));
                  },
                });
              }}
            >
              {words.wizard.startOver}
            </Button>
          ) : null
        }
        footer={
          <>
            {startError && page === 'check' && !isStarting ? (
              <div className={styles.problem}>
                <Suspense>
                  <HostProblem problem={startError} onAgain={goOn} />
                </Suspense>
              </div>
            ) : null}
            <Footer
              page={page}
              readiness={readiness}
              isWaiting={isWaiting || isStarting || isLeaving || paste.isTaking}
              beside={besideNext(page, state, trial)}
            />
          </>
        }
      >
        <Stack gap={24}>
          {seed.problem ? <ProblemBanner problem={seed.problem} /> : null}
          {seed.isWorking ? (
            <ContentSkeleton waitingFor={words.wizard.seed.waiting} />
          ) : (
            <Suspense fallback={<ContentSkeleton waitingFor={words.app.page} />}>
              {page !== 'question' && page !== 'check' && agreement.together.length > 0 ? <AgreementCard agreement={agreement} /> : null}
              {contentOf(page, { plan, paste, agreement, trial, onBeforeNext: keepBeforeNext })}
            </Suspense>
          )}
        </Stack>
      </Page>
    </form>
  );
}

function ContentSkeleton({ waitingFor }: { readonly waitingFor: string }) {
  return <Skeleton waitingFor={waitingFor} heights={[240]} />;
}

interface Contents {
  readonly plan: PlanInProgress;
  readonly paste: Paste;
  readonly agreement: Agreement;
  readonly trial: Trial;
  readonly onBeforeNext: (act: BeforeNext) => void;
}

function contentOf(page: WizardPageId, { plan, paste, agreement, trial, onBeforeNext }: Contents): ReactNode {
  switch (page) {
    case 'question':
      return <QuestionPage preset={plan.preset} issues={plan.made?.issues ?? []} paste={paste} />;
    case 'target':
      return <TargetPage preset={plan.preset} onBeforeNext={onBeforeNext} />;
    case 'load':
      return <LoadPage plan={plan} />;
    case 'check':
      return <CheckPage plan={plan} agreement={agreement} trial={trial} />;
    default:
      return page satisfies never;
  }
}

function readinessOf(
  page: WizardPageId,
  state: WizardState,
  { facts, made }: PlanInProgress,
  paste: PasteFacts,
  { missing }: Agreement,
  where: WhereFacts,
  isStarting: boolean,
): Readiness {
  switch (page) {
    case 'question':
      return questionReadiness(state, paste);
    case 'target':
      return targetReadiness(state);
    case 'load':
      return loadReadiness(facts);
    case 'check':
      return checkReadiness({
        ...facts,
        missing: facts.hasPlan && made !== null ? missing : null,
        where: whereReadiness(where),
        isStarting,
        watchedPages: made?.plan?.watchPages?.length ?? 0,
      });
    default:
      return page satisfies never;
  }
}

/** Returns the page of the address, or the furthest reached page if the address is beyond it. */
function pageFor(asked: string | null, reached: WizardPageId): WizardPageId {
  const page = WIZARD_PAGES.find((id) => id === asked) ?? 'question';
  return isBefore(reached, page) ? reached : page;
}

/** Returns the text beside an enabled Next button; empty for none. */
function besideNext(page: WizardPageId, { login }: WizardState, trial: Trial): string {
  const { trying, trialFailed, loginFailed } = words.wizard.notYet;
  if (page === 'target') return login.status === 'failed' ? loginFailed : '';
  if (page !== 'check') return '';
  return trial.state === 'bad' ? trialFailed : trial.state === 'going' ? trying : '';
}

interface FooterProps {
  readonly page: WizardPageId;
  readonly readiness: Readiness;
  readonly isWaiting: boolean;
  readonly beside: string;
}

function Footer({ page, readiness, isWaiting, beside }: FooterProps) {
  const before = pageBefore(page);
  const isLast = pageAfter(page) === null;
  const because = readiness.status === 'notYet' || (readiness.status === 'pending' && (isWaiting || isLast)) ? readiness.because : beside;
  return (
    <>
      {before ? (
        <Button icon={<ArrowLeft />} onPress={() => navigate(pagePath(before))}>
          {words.wizard.back}
        </Button>
      ) : null}
      <p className={styles.because} aria-live="polite">
        {because}
      </p>
      <span className={styles.next}>
        <Button
          type="submit"
          look="primary"
          size={isLast ? 'large' : 'normal'}
          icon={isLast ? <Play /> : <ArrowRight />}
          isDisabled={readiness.status === 'notYet' || (isLast && readiness.status === 'pending')}
          isPending={isWaiting}
        >
          {pageLooks[page].next}
        </Button>
      </span>
    </>
  );
}

/** Moves the focus to the page's heading when `key` changes, so that keyboard and screen reader follow; not on the first page. */
export function useHeadlineFocus(key: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(key);
  useEffect(() => {
    if (before.current === key) return;
    before.current = key;
    heading.current?.focus();
    window.scrollTo({ top: 0 });
  }, [key]);
  return heading;
}
