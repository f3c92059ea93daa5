import type { Problem } from '#core/base/errors.ts';
import { useCall } from '#ui/app/backend.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Card } from '#ui/components/Card.tsx';
import { ChoiceText } from '#ui/components/ChoiceText.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { RadioCards } from '#ui/components/RadioCards.tsx';
import { words } from '#ui/words/words.ts';
import type { Maker } from '../state/where.ts';
import { useWizard } from '../WizardContext.ts';

const MAKERS: readonly Maker[] = ['holdfast', 'k6'];

interface MakerChoiceProps {
  /** What the plan says where nothing else was chosen. */
  readonly planned: Maker;
  /** The load is made by this computer alone. */
  readonly isHere: boolean;
}

/** Whose program makes the load: few need another than Holdfast's own, so it lies below the machines. */
export function MakerChoice({ planned, isHere }: MakerChoiceProps) {
  const { state, dispatch } = useWizard();
  const say = words.wizard.where.maker;
  const maker = state.maker ?? planned;
  return (
    <Card>
      <Disclosure title={say.title} summary={say.choices[maker].name} isOpenAtFirst={maker !== 'holdfast'}>
        <Stack gap={16}>
          <RadioCards
            label={say.title}
            hideLabel
            value={maker}
            cards={MAKERS.map((value) => ({
              value,
              name: say.choices[value].name,
              content: <ChoiceText title={say.choices[value].name} story={say.choices[value].story} />,
            }))}
            onChange={(value) => {
              const chosen = MAKERS.find((one) => one === value);
              if (chosen !== undefined) dispatch({ type: 'makerChanged', maker: chosen });
            }}
          />
          {maker === 'k6' ? <K6Facts isHere={isHere} /> : null}
        </Stack>
      </Disclosure>
    </Card>
  );
}

/** Whether there is a k6, and what is not known of a load that it makes. */
function K6Facts({ isHere }: { readonly isHere: boolean }) {
  const k6 = useCall('app.k6', {});
  const say = words.wizard.where.maker;
  const problem: Problem | null = k6.error ?? k6.data?.problem ?? null;
  return (
    <Stack gap={12}>
      {isHere ? null : <Banner tone="inconclusive">{say.onlyHere}</Banner>}
      {problem === null ? (
        <p aria-live="polite">{k6.data?.version ? say.found(k6.data.version) : say.looking}</p>
      ) : (
        <ProblemBanner problem={problem} onRetry={() => void k6.refetch()} />
      )}
      <p>{say.limits}</p>
    </Stack>
  );
}
