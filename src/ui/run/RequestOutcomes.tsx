import { CircleCheck, CircleX } from 'lucide-react';
import { formatCount, formatShare } from '#core/base/units.ts';
import { type JourneyOutcomes, type RunOutcomes, countWanted } from '#core/measurement/requestOutcomes.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import { balanceSentence, journeyBlocks, outcomeBlocks } from '#core/presentation/document/requestOutcomes.ts';
import { laterWords } from '../words/laterWords.ts';
import { Banner } from '../components/Banner.tsx';
import { Blocks } from '../components/Blocks.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import styles from './RequestOutcomes.module.css';

interface RequestOutcomesProps {
  readonly outcomes: RunOutcomes;
  readonly balances: boolean;
  /** Whether the run is active. Requests may then be in flight. */
  readonly isGoing: boolean;
  readonly abandonedAt?: RunResult['abandonedAt'];
}

const texts = laterWords.run.outcomes;

/** Table of request outcomes with their sum. Hovering shows the internal names. */
export function RequestOutcomes({ outcomes, balances, isGoing, abandonedAt }: RequestOutcomesProps) {
  const { requests, journeys } = outcomes;
  const missing = journeys.notStarted.target + journeys.notStarted.generator + journeys.notStarted.stopped;
  if (countWanted(requests) === 0) return <Blocks blocks={outcomeBlocks(outcomes, isGoing)} />;
  return (
    <div className={styles.outcomes}>
      <p className={balances ? styles.right : styles.wrong}>
        {balances ? <CircleCheck size={16} aria-hidden="true" /> : <CircleX size={16} aria-hidden="true" />}
        <span>{balanceSentence(outcomes, balances)}</span>
      </p>
      <Blocks blocks={outcomeBlocks(outcomes, isGoing)} />
      <Disclosure
        title={texts.journeys}
        summary={texts.journeysSummary(formatCount(journeys.finished), missing > 0 ? formatCount(missing) : '')}
        isOpenAtFirst={missing > 0}
        level={3}
      >
        <Blocks blocks={journeyBlocks(outcomes, abandonedAt)} />
      </Disclosure>
    </div>
  );
}

interface NotStartedProps {
  readonly journeys: JourneyOutcomes;
  readonly plan: Plan | undefined;
  /** Names of the load generators. */
  readonly generators: string;
}

const notStartedTexts = laterWords.run.notStarted;

/** Warning about scheduled journeys that did not start, with the reason. Renders nothing if all have started. */
export function NotStarted({ journeys, plan, generators }: NotStartedProps) {
  const { started, notStarted } = journeys;
  const { target, generator } = notStarted;
  const due = started + target + generator;
  const maxInFlight = plan?.load.model === 'arrivals' ? plan.load.maxInFlight : null;
  return (
    <>
      {/* Screen readers announce only that it happened, because the counts change every second. */}
      <output className="only-read-out">
        {[target > 0 ? notStartedTexts.target : '', generator > 0 ? notStartedTexts.generator : ''].filter(Boolean).join(' ')}
      </output>
      {target > 0 ? (
        <Banner
          tone="failed"
          title={notStartedTexts.countTarget(notStartedTexts.arrivals(target, formatCount(target)), formatShare(target / due))}
        >
          {notStartedTexts.targetStory(maxInFlight === null ? '' : formatCount(maxInFlight))}
        </Banner>
      ) : null}
      {generator > 0 ? (
        <Banner
          tone="inconclusive"
          title={notStartedTexts.countGenerator(
            notStartedTexts.arrivals(generator, formatCount(generator)),
            formatShare(generator / due),
            generators,
          )}
        >
          {notStartedTexts.generatorStory}
        </Banner>
      ) : null}
    </>
  );
}
