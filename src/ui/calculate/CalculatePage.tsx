import { useState } from 'react';
import type { Calculator } from '#core/calculators/calculator.ts';
import { calculators } from '#core/calculators/registry.ts';
import { readInputs } from '#core/calculators/readInputs.ts';
import { navigate } from 'wouter/use-hash-location';
import { Banner } from '../components/Banner.tsx';
import { ChoiceText } from '../components/ChoiceText.tsx';
import { Page, Stack } from '../components/Page.tsx';
import { RadioCards } from '../components/RadioCards.tsx';
import { words } from '../words/words.ts';
import { Answer } from './Answer.tsx';
import styles from './CalculatePage.module.css';
import type { Entries } from './entries.ts';
import { InputGroups } from './InputGroups.tsx';

const all = Object.values(calculators);

/** One question answered by arithmetic: what it asks on the left, the answer beside it, anew with each keystroke. */
export function CalculatePage({ asked }: { readonly asked: string | null }) {
  const { title, story, choose } = words.calculate;
  const chosen = all.find(({ id }) => id === asked) ?? all[0];
  return (
    <Page title={title} story={story}>
      <Stack gap={24}>
        <RadioCards
          label={choose}
          hideLabel
          value={chosen?.id ?? null}
          onChange={(id) => navigate(`/calculate/${id}`, { replace: true })}
          cards={all.map((calculator) => ({
            value: calculator.id,
            name: calculator.title,
            content: <ChoiceText title={calculator.title} story={calculator.story} />,
          }))}
        />
        {chosen ? <Sheet key={chosen.id} calculator={chosen} /> : null}
      </Stack>
    </Page>
  );
}

function Sheet({ calculator }: { readonly calculator: Calculator }) {
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
        <Answer calculation={calculator.calculate(values)} />
      </Stack>
    </div>
  );
}
