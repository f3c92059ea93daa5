import type { RecordedPlan } from '#contract/replies.ts';
import { formatBytes, formatCount } from '#core/base/units.ts';
import { visibleLine } from '#core/base/text.ts';
import { whyCaptured, whyDeparted } from '#core/import/recording/words.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { type DataColumn, DataTable } from '#ui/components/Table.tsx';
import { words } from '#ui/words/words.ts';
import styles from './LiveRecording.module.css';

const texts = words.recording;
type Walked = NonNullable<RecordedPlan['walked']>;
type Step = Walked['steps'][number];

const COLUMNS: readonly DataColumn<Step>[] = [
  { name: texts.columns.step, isHead: true, cell: ({ step }) => visibleLine(step) },
  { name: texts.columns.recorded, wrap: true, cell: ({ recorded }) => outcome(recorded) },
  { name: texts.columns.tried, wrap: true, cell: ({ tried }) => outcome(tried) },
  { name: texts.columns.same, wrap: true, cell: (step) => visibleLine(whyDeparted(step) ?? texts.same) },
];

/** Result of repeating the recorded journey: captured dynamic values, and steps whose responses differ. */
export function WalkResult({ walked: { captured, steps } }: { readonly walked: Walked }) {
  const other = steps.filter(({ isSame }) => !isSame);
  return (
    <Stack gap={12}>
      {captured.length === 0 ? null : (
        <Disclosure level={2} title={texts.captured(formatCount(captured.length), captured.length === 1)}>
          <ul className={styles.values}>
            {captured.map((value) => (
              <li key={value.name}>
                <code>{`{{${value.name}}}`}</code> {visibleLine(whyCaptured(value))}
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
      <Banner tone={other.length === 0 ? 'passed' : 'inconclusive'} announce="status">
        {other.length === 0
          ? texts.allSame(formatCount(steps.length), steps.length === 1)
          : texts.someOther(formatCount(other.length), formatCount(steps.length))}
      </Banner>
      <DataTable caption={texts.walk} stacks columns={COLUMNS} rows={steps} keyOf={({ step }) => step} />
    </Stack>
  );
}

function outcome(of: Step['recorded']): string {
  return of === null ? texts.noResponse : texts.outcome(String(of.status), visibleLine(of.title ?? ''), formatBytes(of.bytes));
}
