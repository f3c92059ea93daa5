import { Card } from '#ui/components/Card.tsx';
import { ChoiceText } from '#ui/components/ChoiceText.tsx';
import { RadioCards } from '#ui/components/RadioCards.tsx';
import { formatCount } from '#core/base/units.ts';
import { words } from '#ui/words/words.ts';
import type { Loss } from '../state/where.ts';
import { useWizard } from '../WizardContext.ts';

const LOSSES: readonly Loss[] = ['continue', 'stop'];

interface LossChoiceProps {
  /** Of machines that make the load. */
  readonly count: number;
  /** What the plan says where nothing else was chosen. */
  readonly planned: Loss;
}

/** What becomes of the run when one of several generators is lost. */
export function LossChoice({ count, planned }: LossChoiceProps) {
  const { state, dispatch } = useWizard();
  const say = words.wizard.where.loss;
  return (
    <Card title={say.title}>
      <RadioCards
        label={say.title}
        hideLabel
        value={state.onLost ?? planned}
        cards={LOSSES.map((value) => ({
          value,
          name: say.choices[value].name,
          content: <ChoiceText title={say.choices[value].name} story={say.choices[value].story} />,
        }))}
        onChange={(value) => {
          const chosen = LOSSES.find((one) => one === value);
          if (chosen !== undefined) dispatch({ type: 'lossChanged', onLost: chosen });
        }}
        help={say.shared(formatCount(count))}
      />
    </Card>
  );
}
