import { ArrowLeft, ArrowRight, Play, RotateCcw } from 'lucide-react';
import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useRef, useCallback, useEffectEvent, useState } from 'react';
import { navigate } from 'wouter/use-hash-location';
import { HERE } from '#core/plan/schema/hosts.ts';
import { useCall, useAction } from '#ui/shared/backend.ts';
import { notify } from '#ui/shared/notices.tsx';
import { registerLazy } from '#ui/shared/later.ts';
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
  questionReadiness,
  type Readiness,
  targetReadiness,
  type WhereFacts,
  whereReadiness,
} from './state/readiness.ts';
import { isBefore } from './state/reducer.ts';
import { WIZARD_PAGES, type WizardPageId, type WizardState } from './state/types.ts';
import { type Agreement, getAgreement } from './state/answers.ts';
import { rolesOf } from './state/machineRoles.ts';
import { type PlanInProgress, usePlan, useWizardSeedActions } from './usePlan.ts';
import { useWizard } from './WizardProvider.tsx';
import styles from './WizardPage.module.css';
import { startInput } from './state/makePlan.ts';
import type { BeforeNext } from './target/LoginForm.tsx';

// These parts are loaded when they are opened, because every test begins with the question page.
const HostProblem = lazy(registerLazy(async () => ({ default: (await import('#ui/shared/machines/HostProblem.tsx')).HostProblem })));
const TargetPage = lazy(registerLazy(async () => ({ default: (await import('./target/TargetPage.tsx')).TargetPage })));
const LoadPage = lazy(registerLazy(async () => ({ default: (await import('./load/LoadPage.tsx')).LoadPage })));
const CheckPage = lazy(registerLazy(async () => ({ default: (await import('./check/CheckPage.tsx')).CheckPage })));

/** Frame of the wizard: navigation, the current page, and a footer that shows what is missing. `asked` is the page in the address. */
export function WizardPage({ asked }: { readonly asked: string | null }) {
  const { state } = useWizard();
  const seed = useWizardSeedActions();
  const plan = usePlan(state);
  const page = reachablePage(asked, state.reached);
  const heading = useHeadlineFocus(page);
  const paste = usePaste(page === 'question');
  const hosts = useCall('hosts.list', {}).data?.map(({ name }) => name) ?? null;
  const roles = rolesOf(state.choices.places, plan.made?.plan ?? null);
  const agreement = getAgreement(state, plan.made?.asks ?? [], plan.made?.open ?? []);
  const trial = useTrial({
    plan: page === 'check' ? (plan.made?.plan ?? null) : null,
    agreed: agreement.keys,
    // A run that is repeated needs no trial.
    isAllowed:
      !seed.starts &&
      plan.facts.hasPlan &&
      agreement.missing.length === 0 &&
      roles.every(({ name, role }) => role !== 'generator' || name === HERE),
  });
  const start = useStart(plan, agreement);
  const facts = { state, plan, paste, agreement, trial, machines: { roles, hosts }, isStarting: start.isStarting };
  const readiness = PAGES[page].readiness(facts);
  const next = useNext({ page, readiness, paste, seed, start: start.start });
  useEffect(() => {
    if (asked !== null && asked !== page) navigate(pagePath(page), { replace: true });
  }, [asked, page]);

  const { title, story } = pageLooks[page];
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        next.press();
      }}
    >
      <Page
        title={title}
        story={story}
        titleRef={heading}
        rail={<StepRail page={page} reached={state.reached} />}
        actions={state.source ? <StartOver page={page} /> : null}
        footer={
          <>
            {start.error && page === 'check' && !start.isStarting ? (
              <div className={styles.problem}>
                <Suspense>
                  <HostProblem problem={start.error} onAgain={next.proceed} />
                </Suspense>
              </div>
            ) : null}
            <Footer
              page={page}
              readiness={readiness}
              isWaiting={next.isWaiting || start.isStarting || paste.isTaking}
              beside={nextHint(page, state, trial)}
            />
          </>
        }
      >
        <Stack gap={24}>
          {seed.problem ? <ProblemBanner problem={seed.problem} /> : null}
          {seed.isWorking ? (
            <Skeleton waitingFor={words.wizard.seed.waiting} heights={[240]} />
          ) : (
            <Suspense fallback={<Skeleton waitingFor={words.app.page} heights={[240]} />}>
              {page !== 'question' && page !== 'check' && agreement.together.length > 0 ? <AgreementCard agreement={agreement} /> : null}
              {PAGES[page].content(facts, next)}
            </Suspense>
          )}
        </Stack>
      </Page>
    </form>
  );
}

/** Button that clears all entries. The user can undo this. */
function StartOver({ page }: { readonly page: WizardPageId }) {
  const { state, dispatch } = useWizard();
  const undoStartOver = (): void => {
    dispatch({ type: 'takenBack', state });
    navigate(pagePath(page));
  };
  const startOver = (): void => {
    dispatch({ type: 'startedOver' });
    navigate('/new');
    notify(words.wizard.startedOver, { label: words.app.undo, act: undoStartOver });
  };
  return (
    <Button look="quiet" icon={<RotateCcw />} onPress={startOver}>
      {words.wizard.startOver}
    </Button>
  );
}

interface PageFacts {
  readonly state: WizardState;
  readonly plan: PlanInProgress;
  readonly paste: Paste;
  readonly agreement: Agreement;
  readonly trial: Trial;
  readonly machines: WhereFacts;
  readonly isStarting: boolean;
}

/** For each page of the wizard, its content and whether Next is possible. */
const PAGES: Readonly<
  Record<
    WizardPageId,
    { readonly content: (facts: PageFacts, next: Next) => ReactNode; readonly readiness: (facts: PageFacts) => Readiness }
  >
> = {
  question: {
    content: ({ plan, paste }) => <QuestionPage preset={plan.preset} issues={plan.made?.issues ?? []} paste={paste} />,
    readiness: ({ state, paste }) => questionReadiness(state, paste),
  },
  target: {
    content: ({ plan }, { keepBeforeNext }) => <TargetPage preset={plan.preset} onBeforeNext={keepBeforeNext} />,
    readiness: ({ state }) => targetReadiness(state),
  },
  load: { content: ({ plan }) => <LoadPage plan={plan} />, readiness: ({ plan }) => loadReadiness(plan.facts) },
  check: {
    content: ({ plan, agreement, trial }) => <CheckPage plan={plan} agreement={agreement} trial={trial} />,
    readiness: ({ plan: { facts, made }, agreement, machines, isStarting }) =>
      checkReadiness({
        ...facts,
        missing: facts.hasPlan && made !== null ? agreement.missing : null,
        where: whereReadiness(machines),
        isStarting,
        watchedPages: made?.plan?.watchPages?.length ?? 0,
      }),
  },
};

/** Returns the page in the address, or the furthest page that can be opened if the address is beyond it. */
function reachablePage(requested: string | null, reached: WizardPageId): WizardPageId {
  const page = WIZARD_PAGES.find((id) => id === requested) ?? 'question';
  return isBefore(reached, page) ? reached : page;
}

/** Returns the text next to an enabled Next button; empty if there is none. */
function nextHint(page: WizardPageId, { login }: WizardState, trial: Trial): string {
  const { trying, trialFailed, loginFailed } = words.wizard.notYet;
  if (page === 'target') return login.status === 'failed' ? loginFailed : '';
  if (page !== 'check') return '';
  return trial.state === 'failed' ? trialFailed : trial.state === 'running' ? trying : '';
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

/**
 * Moves the focus to the page's heading when `key` changes, so that keyboard and screen reader continue there. Does nothing on the first
 * page, or if a field of the new page has taken the focus.
 */
function useHeadlineFocus(key: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(key);
  useEffect(() => {
    if (before.current === key) return;
    before.current = key;
    if (document.activeElement?.localName !== 'input') heading.current?.focus();
    window.scrollTo({ top: 0 });
  }, [key]);
  return heading;
}

/** Starts the run, or the series, of a plan. */
function useStart({ made }: PlanInProgress, { keys: agreed }: Agreement) {
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
function useNext({ page, readiness, paste, seed, start }: NextOptions) {
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

type Next = ReturnType<typeof useNext>;
