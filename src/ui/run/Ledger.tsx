import { CircleCheck, CircleX } from 'lucide-react';
import { formatCount, formatShare } from '#core/base/units.ts';
import { type JourneyLedger, type Ledger as LedgerData, wantedRequests } from '#core/measurement/ledger.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { balanceSentence, journeyBlocks, outcomeBlocks } from '#core/presentation/document/ledger.ts';
import { words } from '../words/words.ts';
import { Banner } from '../components/Banner.tsx';
import { Blocks } from '../components/Blocks.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import styles from './Ledger.module.css';

interface LedgerProps {
  readonly ledger: LedgerData;
  readonly balances: boolean;
  /** Requests under way are still to be answered. */
  readonly isGoing: boolean;
}

const texts = words.run.ledger;

/** Where every request went, and that the sum is right: plain words first, the ledger's own names on hover. */
export function Ledger({ ledger, balances, isGoing }: LedgerProps) {
  const { requests, journeys } = ledger;
  const missing = journeys.notStarted.target + journeys.notStarted.generator + journeys.notStarted.stopped;
  if (wantedRequests(requests) === 0) return <Blocks blocks={outcomeBlocks(ledger, isGoing)} />;
  return (
    <div className={styles.ledger}>
      <p className={balances ? styles.right : styles.wrong}>
        {balances ? <CircleCheck size={16} aria-hidden="true" /> : <CircleX size={16} aria-hidden="true" />}
        <span>{balanceSentence(ledger, balances)}</span>
      </p>
      <Blocks blocks={outcomeBlocks(ledger, isGoing)} />
      <Disclosure
        title={texts.journeys}
        summary={texts.journeysSummary(formatCount(journeys.finished), missing > 0 ? formatCount(missing) : '')}
        isOpenAtFirst={missing > 0}
        level={3}
      >
        <Blocks blocks={journeyBlocks(ledger)} />
      </Disclosure>
    </div>
  );
}

interface NotStartedProps {
  readonly journeys: JourneyLedger;
  readonly plan: Plan | undefined;
  /** Who makes the load. */
  readonly generators: string;
}

const notStartedTexts = words.run.notStarted;

/** Says aloud that people who were due did not come, by whose fault; nothing while all of them did. */
export function NotStarted({ journeys, plan, generators }: NotStartedProps) {
  const { started, notStarted } = journeys;
  const { target, generator } = notStarted;
  const due = started + target + generator;
  const maxInFlight = plan?.load.model === 'arrivals' ? plan.load.maxInFlight : null;
  return (
    <>
      {/* Only that it happened is announced: the counts change every second. */}
      <output className="only-read-out">
        {[target > 0 ? notStartedTexts.target : '', generator > 0 ? notStartedTexts.generator : ''].filter(Boolean).join(' ')}
      </output>
      {target > 0 ? (
        <Banner
          tone="breaks"
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
