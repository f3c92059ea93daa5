import { Plus } from 'lucide-react';
import { useState } from 'react';
import { formatMs, formatRate } from '#core/base/units.ts';
import { useCall } from '#ui/shared/backend.ts';
import type { Sides } from '#ui/shared/comparison.ts';
import { Button } from '../components/Button.tsx';
import { Card, Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { Block, Skeleton } from '#ui/components/Placeholders.tsx';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { TextField } from '../components/Field.tsx';
import { loadSizeText } from '../run/loadSize.ts';
import { formatWhen, words } from '../words/words.ts';
import styles from './ComparePage.module.css';

const texts = words.compare.add;
const { columns } = words.history;
const MAX_SHOWN_RUNS = 8;

/** Search field that adds a run to the comparison. */
export function AddRun({ sides, onAdd }: { readonly sides: Sides; readonly onAdd: (runId: string) => void }) {
  const [search, setSearch] = useState('');
  const chosen = new Set(sides.flat());
  const list = useCall('runs.list', { search, limit: MAX_SHOWN_RUNS + chosen.size }, { keepPrevious: true });
  const others = list.data?.runs.filter(({ id, endedAt }) => !chosen.has(id) && endedAt !== null).slice(0, MAX_SHOWN_RUNS);
  return (
    <Card title={texts.title}>
      <Stack gap={12}>
        <TextField label={texts.search} type="search" value={search} onChange={setSearch} maxLength={200} />
        {list.error ? <ProblemBanner problem={list.error} onRetry={() => void list.refetch()} /> : null}
        {list.isPending ? (
          <Skeleton waitingFor={texts.loading}>
            <Block height={120} />
          </Skeleton>
        ) : null}
        {others?.length === 0 ? <p className={styles.quiet}>{search === '' ? texts.nothing : texts.none}</p> : null}
        {others !== undefined && others.length > 0 ? (
          <Table caption={texts.caption} stacks>
            <thead>
              <Row>
                <HeadCell>{columns.name}</HeadCell>
                <HeadCell>{columns.when}</HeadCell>
                <HeadCell numeric>{columns.rate}</HeadCell>
                <HeadCell numeric>{columns.p95}</HeadCell>
                <HeadCell>
                  <span className="only-read-out">{columns.actions}</span>
                </HeadCell>
              </Row>
            </thead>
            <tbody>
              {others.map(({ id, name, startedAt, target, load, completedPerSecond, p95Ms }) => (
                <Row key={id}>
                  <HeadCell scope="row">
                    {name}
                    <span className={styles.about}>{[loadSizeText(load), target].filter(Boolean).join(' · ')}</span>
                  </HeadCell>
                  <Cell label={columns.when}>{formatWhen(startedAt)}</Cell>
                  <Cell numeric label={columns.rate}>
                    {formatRate(completedPerSecond)}
                  </Cell>
                  <Cell numeric label={columns.p95}>
                    {formatMs(p95Ms)}
                  </Cell>
                  <Cell numeric>
                    <Button size="small" icon={<Plus />} aria-label={texts.buttonOf(name, formatWhen(startedAt))} onPress={() => onAdd(id)}>
                      {texts.button}
                    </Button>
                  </Cell>
                </Row>
              ))}
            </tbody>
          </Table>
        ) : null}
      </Stack>
    </Card>
  );
}
