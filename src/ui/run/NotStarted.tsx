import type { JourneyLedger } from '#core/measurement/ledger.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatCount, formatShare } from '#core/base/units.ts';
import { Banner } from '../components/Banner.tsx';
import { words } from '../words/words.ts';

interface NotStartedProps {
  readonly journeys: JourneyLedger;
  readonly plan: Plan | undefined;
  /** Who makes the load. */
  readonly makers: string;
}

const texts = words.run.notStarted;

/** Says aloud that people who were due did not come, by whose fault; nothing while all of them did. */
export function NotStarted({ journeys, plan, makers }: NotStartedProps) {
  const { started, notStarted } = journeys;
  const { target, generator } = notStarted;
  const due = started + target + generator;
  const maxInFlight = plan?.load.model === 'arrivals' ? plan.load.maxInFlight : null;
  return (
    <>
      {/* Only that it happened is announced: the counts change every second. */}
      <output className="only-read-out">
        {[target > 0 ? texts.target : '', generator > 0 ? texts.generator : ''].filter(Boolean).join(' ')}
      </output>
      {target > 0 ? (
        <Banner tone="breaks" title={texts.countTarget(texts.arrivals(target, formatCount(target)), formatShare(target / due))}>
          {texts.targetStory(maxInFlight === null ? '' : formatCount(maxInFlight))}
        </Banner>
      ) : null}
      {generator > 0 ? (
        <Banner
          tone="inconclusive"
          title={texts.countGenerator(texts.arrivals(generator, formatCount(generator)), formatShare(generator / due), makers)}
        >
          {texts.generatorStory}
        </Banner>
      ) : null}
    </>
  );
}
