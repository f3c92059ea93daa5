import type { Plan } from '#core/plan/schema/plan.ts';
import { formatSeconds } from '#core/base/units.ts';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Select } from '#ui/components/Choices.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { NumberField } from '#ui/components/Field.tsx';
import type { NumberEntry } from '#ui/components/numbers.ts';
import { Stack } from '#ui/components/Page.tsx';
import { words } from '#ui/words/words.ts';
import { type BellEntry, gateSteps, loadOfBell, proposeBell, readBellLoad, REST_SECONDS } from '../state/bell.ts';
import { getChoice } from '../state/choices.ts';
import type { LoadEntry } from '../state/loadEntry.ts';
import { useWizard } from '../WizardProvider.tsx';
import styles from './LoadPage.module.css';

const bellWords = words.wizard.bell;

interface BellChoiceProps {
  /** Plan of the source after the choices were applied. */
  readonly plan: Plan;
  readonly load: LoadEntry;
}

/**
 * Choice “Everybody starts at one instant”: the step that all users send together, when they do, and what late users do. Only the first
 * bell of a plan is shown.
 */
export function BellChoice({ plan, load }: BellChoiceProps) {
  const { state, dispatch } = useWizard();
  const bell = getChoice('bell', state.choices, plan);
  const steps = gateSteps(plan);
  const people = readBellLoad(load);
  if (steps.length === 0) return null;
  const choose = (next: BellEntry | null): void => dispatch({ type: 'chosen', change: { bell: next } });
  const arrive = (next: BellEntry, change: { readonly people?: NumberEntry; readonly windowSeconds?: NumberEntry } = {}): void => {
    choose(next);
    const wanted = { people: people?.people ?? '', windowSeconds: people?.windowSeconds ?? '', ...change };
    dispatch({ type: 'loadEdited', load: loadOfBell(load, { ...wanted, atSeconds: next.atSeconds }) });
  };
  const isWrong = (value: NumberEntry): boolean => typeof value !== 'number' || value <= 0;
  return (
    <Disclosure
      level={2}
      title={bellWords.title}
      summary={bell === null ? bellWords.none : bellWords.summary(bell.step, formatSeconds(Number(bell.atSeconds)))}
    >
      <Stack gap={12}>
        <Checkbox
          isSelected={bell !== null}
          onChange={(isSelected) => {
            if (!isSelected) return choose(null);
            const { entry, ...proposed } = proposeBell(plan);
            arrive(entry, proposed);
          }}
        >
          {bellWords.choose}
        </Checkbox>
        <p className="muted">{bellWords.story}</p>
        {bell === null ? null : (
          <>
            <div className={styles.bell}>
              <Select label={bellWords.step} value={bell.step} choices={steps} onChange={(step) => choose({ ...bell, step })} />
              {people === null ? null : (
                <>
                  <NumberField
                    label={bellWords.people}
                    value={people.people}
                    min={1}
                    error={isWrong(people.people) ? bellWords.wrongNumber : null}
                    onChange={(value) => arrive(bell, { people: value })}
                  />
                  <NumberField
                    label={bellWords.window}
                    help={bellWords.windowHelp}
                    unit="s"
                    value={people.windowSeconds}
                    min={1}
                    error={isWrong(people.windowSeconds) ? bellWords.wrongNumber : null}
                    onChange={(value) => arrive(bell, { windowSeconds: value })}
                  />
                </>
              )}
              <NumberField
                label={bellWords.at}
                help={people === null ? '' : bellWords.atHelp(formatSeconds(REST_SECONDS))}
                unit="s"
                value={bell.atSeconds}
                min={1}
                error={isWrong(bell.atSeconds) ? bellWords.wrongNumber : null}
                onChange={(atSeconds) => (people === null ? choose({ ...bell, atSeconds }) : arrive({ ...bell, atSeconds }))}
              />
              <Select label={bellWords.late} value={bell.late} choices={bellWords.lates} onChange={(late) => choose({ ...bell, late })} />
            </div>
            <Checkbox isSelected={bell.reloads} onChange={(reloads) => choose({ ...bell, reloads })}>
              {bellWords.reloads}
            </Checkbox>
          </>
        )}
      </Stack>
    </Disclosure>
  );
}
