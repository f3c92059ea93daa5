import type { RunRow } from '#contract/replies.ts';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { formatMs, formatRate } from '#core/base/units.ts';
import { useCall } from '#ui/shared/backend.ts';
import type { Sides } from '#ui/shared/comparison.ts';
import { Button } from '../components/Button.tsx';
import { Card, Stack } from '#ui/components/Page.tsx';
import { Loaded } from '#ui/components/Placeholders.tsx';
import { type DataColumn, DataTable } from '../components/Table.tsx';
import { TextField } from '../components/Field.tsx';
import { loadSizeText } from '../run/loadSize.ts';
import { laterWords } from '../words/laterWords.ts';
import { formatWhen } from '../words/words.ts';
import styles from './ComparePage.module.css';

const texts = laterWords.compare.add;
const { columns } = laterWords.history;
const MAX_SHOWN_RUNS = 8;

const FACTS: readonly DataColumn<RunRow>[] = [
  {
    name: columns.name,
    isHead: true,
    cell: ({ name, load, target }) => (
      <>
        {name}
        <span className={styles.about}>{[loadSizeText(load), target].filter(Boolean).join(' · ')}</span>
      </>
    ),
  },
  { name: columns.when, cell: ({ startedAt }) => formatWhen(startedAt) },
  { name: columns.rate, numeric: true, cell: ({ completedPerSecond }) => formatRate(completedPerSecond) },
  { name: columns.p95, numeric: true, cell: ({ p95Ms }) => formatMs(p95Ms) },
];

/** Search field that adds a run to the comparison. */
export function AddRun({ sides, onAdd }: { readonly sides: Sides; readonly onAdd: (runId: string) => void }) {
  const [search, setSearch] = useState('');
  const chosen = new Set(sides.flat());
  const list = useCall('runs.list', { search, limit: MAX_SHOWN_RUNS + chosen.size }, { keepPrevious: true });
  const otherRuns = list.data?.runs.filter(({ id, endedAt }) => !chosen.has(id) && endedAt !== null).slice(0, MAX_SHOWN_RUNS);
  const button: DataColumn<RunRow> = {
    name: columns.actions,
    hidesName: true,
    numeric: true,
    cell: ({ id, name, startedAt }) => (
      <Button size="small" icon={<Plus />} aria-label={texts.buttonOf(name, formatWhen(startedAt))} onPress={() => onAdd(id)}>
        {texts.button}
      </Button>
    ),
  };
  return (
    <Card title={texts.title}>
      <Stack gap={12}>
        <TextField label={texts.search} type="search" value={search} onChange={setSearch} maxLength={200} />
        <Loaded query={list} waitingFor={texts.loading} heights={[120]} />
        {otherRuns?.length === 0 ? <p className="muted">{search === '' ? texts.nothing : texts.none}</p> : null}
        {otherRuns !== undefined && otherRuns.length > 0 ? (
          <DataTable caption={texts.caption} stacks columns={[...FACTS, button]} rows={otherRuns} keyOf={({ id }) => id} />
        ) : null}
      </Stack>
    </Card>
  );
}
