import { useState } from 'react';
import { navigate } from 'wouter/use-hash-location';
import { type Calculation, type Calculator, formatFigure, type InputGroup, readInputs } from '#core/calculators/calculator.ts';
import { calculators } from '#core/calculators/registry.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { Banner } from '../components/Banner.tsx';
import { ChoiceText, RadioCards } from '#ui/components/Choices.tsx';
import { Page, Stack, Card } from '../components/Page.tsx';
import { words } from '../words/words.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import { NumberField } from '#ui/components/Field.tsx';
import type { NumberEntry } from '../components/numbers.ts';
import { LevelList } from '#ui/components/Marks.tsx';
import { type DataColumn, DataTable } from '../components/Table.tsx';
import styles from './CalculatePage.module.css';

/** Shows the result as a sentence, with the figures that explain it and notes. */
function CalculationResult({ calculation: { sentence, table, notes } }: { readonly calculation: Calculation }) {
  const calculateWords = words.calculate;
  const columns: readonly DataColumn<Calculation['table']['rows'][number]>[] = [
    { name: calculateWords.what, isHead: true, cell: ({ label }) => label },
    ...table.columns.map((name, index) => ({
      name,
      numeric: true,
      cell: ({ kind, values }: Calculation['table']['rows'][number]) => formatFigure(kind, values[index] ?? null),
    })),
  ];
  return (
    <>
      <Card title={calculateWords.conclusion}>
        <p className={styles.sentence} aria-live="polite">
          {sentence}
        </p>
      </Card>
      <Card title={table.caption} flush>
        <DataTable caption={table.caption} columns={columns} rows={table.rows} keyOf={({ label }) => label} />
      </Card>
      {notes.length > 0 ? (
        <Card title={calculateWords.notes}>
          <LevelList lines={notes.map(({ level, text }) => ({ key: text, level, text }))} />
        </Card>
      ) : null}
    </>
  );
}

/** Entered values by the name of the input. Inputs that were not touched are missing. */
type Entries = Readonly<Record<string, NumberEntry>>;

interface InputGroupsProps {
  readonly groups: readonly InputGroup[];
  readonly entries: Entries;
  /** Error messages by the name of the input. */
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (name: string, entry: NumberEntry) => void;
}

/** Shows inputs by heading. Inputs that are rarely changed are collapsed. */
function InputGroups({ groups, entries, problems, onChange }: InputGroupsProps) {
  const { asProposed, changed } = words.calculate;
  return (
    <Stack gap={16}>
      {groups.map(({ title, inputs, folded = false }) => {
        const fields = (
          <Stack gap={12}>
            {Object.entries(inputs).map(([name, input]) => (
              <NumberField
                key={name}
                label={input.label}
                value={getOwn(entries, name) ?? input.default ?? ''}
                onChange={(entry) => onChange(name, entry)}
                unit={input.unit ?? ''}
                help={input.help}
                error={getOwn(problems, name) ?? null}
                min={input.min}
                max={input.max}
              />
            ))}
          </Stack>
        );
        const count = Object.keys(inputs).filter(
          (name) => getOwn(entries, name) !== undefined && getOwn(entries, name) !== getOwn(inputs, name)?.default,
        ).length;
        return folded ? (
          <Disclosure key={title} level={2} title={title} summary={count === 0 ? asProposed : changed(count)}>
            {fields}
          </Disclosure>
        ) : (
          <Card key={title} title={title}>
            {fields}
          </Card>
        );
      })}
    </Stack>
  );
}

const allCalculators = Object.values(calculators);

/** Calculator page. The inputs are on the left; the result is next to them and is updated at each keystroke. */
export function CalculatePage({ asked }: { readonly asked: string | null }) {
  const { title, story, choose } = words.calculate;
  const chosenCalculator = allCalculators.find(({ id }) => id === asked) ?? allCalculators[0];
  return (
    <Page title={title} story={story}>
      <Stack gap={24}>
        <RadioCards
          label={choose}
          hideLabel
          layout="three"
          value={chosenCalculator?.id ?? null}
          onChange={(id) => navigate(`/calculate/${id}`, { replace: true })}
          cards={allCalculators.map((calculator) => ({
            value: calculator.id,
            name: calculator.title,
            content: <ChoiceText title={calculator.title} story={calculator.story} />,
          }))}
        />
        {chosenCalculator ? <CalculatorSheet key={chosenCalculator.id} calculator={chosenCalculator} /> : null}
      </Stack>
    </Page>
  );
}

function CalculatorSheet({ calculator }: { readonly calculator: Calculator }) {
  const [entries, setEntries] = useState<Entries>({});
  const { values, problems } = readInputs(calculator, entries);
  return (
    <div className={styles.halves}>
      <InputGroups
        groups={calculator.groups}
        entries={entries}
        problems={problems}
        onChange={(name, entry) => setEntries((before) => ({ ...before, [name]: entry }))}
      />
      <Stack gap={16}>
        {Object.keys(problems).length > 0 ? <Banner tone="inconclusive">{words.calculate.correct}</Banner> : null}
        <CalculationResult calculation={calculator.calculate(values)} />
      </Stack>
    </div>
  );
}
