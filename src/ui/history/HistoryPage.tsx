import { Flag, GitCompareArrows, History, Search } from 'lucide-react';
import { useRef, useState } from 'react';
import { navigate } from 'wouter/use-hash-location';
import type { CallOutput } from '#contract/api.ts';
import { MAX_SIDES } from '#contract/runCalls.ts';
import type { RunRow } from '#contract/replies.ts';
import { formatCount } from '#core/base/units.ts';
import { useCall } from '#ui/shared/backend.ts';
import { useDebounced } from '#ui/shared/useDebounced.ts';
import { Button, LinkButton } from '../components/Button.tsx';
import { EmptyState, Loaded } from '#ui/components/Placeholders.tsx';
import { Page, Stack } from '../components/Page.tsx';
import { Select } from '#ui/components/Choices.tsx';
import { TextField } from '../components/Field.tsx';
import { laterWords } from '../words/laterWords.ts';
import { words } from '../words/words.ts';
import { compareAddress, proposeSides } from '#ui/shared/comparison.ts';
import { useNameBaseline } from '#ui/shared/runActions.ts';
import { ActiveRuns } from './RunningNow.tsx';
import { RunTable } from './RunTable.tsx';
import styles from './HistoryPage.module.css';

/** Bar with actions for the selected runs. */
function CompareBar({ runs, onClear }: { readonly runs: readonly RunRow[]; readonly onClear: () => void }) {
  const fromHistoryWords = laterWords.compare.fromHistory;
  const { isPending, name } = useNameBaseline();
  const setBaseline = (): void =>
    name(
      runs.map(({ id }) => id),
      onClear,
    );
  return (
    <section aria-label={fromHistoryWords.bar} className={styles.bar}>
      <p aria-live="polite">{runs.length < 2 ? fromHistoryWords.needsTwo : fromHistoryWords.chosen(formatCount(runs.length))}</p>
      <Button look="quiet" onPress={onClear}>
        {fromHistoryWords.clear}
      </Button>
      <Button icon={<Flag />} isPending={isPending} onPress={setBaseline}>
        {runs.length === 1 ? laterWords.baseline.name : laterWords.baseline.nameChosen}
      </Button>
      <Button
        look="primary"
        icon={<GitCompareArrows />}
        isDisabled={runs.length < 2}
        onPress={() => navigate(compareAddress(proposeSides(runs, MAX_SIDES)))}
      >
        {fromHistoryWords.compare}
      </Button>
    </section>
  );
}

const PAGE_SIZE = 50;
const ALL_OUTCOMES = 'all';
const OUTCOMES = ['passed', 'failed', 'inconclusive', 'measured'] as const;
const FILTERS = [
  { value: ALL_OUTCOMES, label: laterWords.history.all },
  ...OUTCOMES.map((value) => ({ value, label: words.marks[value] })),
];

/** Page of all runs, with search and outcome filter. It shows fifty runs at a time, so that it stays fast with ten thousand runs. */
export function HistoryPage() {
  const [search, setSearch] = useState('');
  const [outcome, setOutcome] = useState<string>(ALL_OUTCOMES);
  const [offset, setOffset] = useState(0);
  // The rows are kept instead of only their ids, so that a selection survives searching and paging.
  const [chosen, setChosen] = useState<ReadonlyMap<string, RunRow>>(new Map());
  const debouncedSearch = useDebounced(search.trim());
  const filters = { search: debouncedSearch, limit: PAGE_SIZE, offset, ...(outcome === ALL_OUTCOMES ? {} : { outcome }) };
  const list = useCall('runs.list', filters, { keepPrevious: true });
  const historyWords = laterWords.history;
  const filterBar = useRef<HTMLElement>(null);
  const isSearched = debouncedSearch !== '' || outcome !== ALL_OUTCOMES;
  // Placeholder data was loaded with the previous filters, so it counts as filtered.
  const isFiltered = isSearched || list.isPlaceholderData;
  const hasNone = list.data?.total === 0 && !isFiltered;
  const clear = (): void => {
    setSearch('');
    setOutcome(ALL_OUTCOMES);
    setOffset(0);
    // The clicked button was removed together with the list, so the focus moves to the search field.
    filterBar.current?.querySelector('input')?.focus();
  };
  const choose = (run: RunRow, isChosen: boolean): void => {
    const others = [...chosen].filter(([id]) => id !== run.id);
    setChosen(new Map(isChosen ? [...others, [run.id, run]] : others));
  };
  return (
    <Page
      title={historyWords.title}
      story={historyWords.story}
      footer={chosen.size === 0 ? undefined : <CompareBar runs={[...chosen.values()]} onClear={() => setChosen(new Map())} />}
    >
      <Stack gap={16}>
        <ActiveRuns />
        {hasNone ? null : (
          <search ref={filterBar} className={styles.filters}>
            <div className={styles.search}>
              {/* The browser’s button to clear the field takes the icon's place. */}
              {search === '' ? <Search size={16} aria-hidden="true" className={styles.searchIcon} /> : null}
              <TextField
                label={historyWords.search}
                type="search"
                value={search}
                onChange={(text) => {
                  setSearch(text);
                  setOffset(0);
                }}
              />
            </div>
            <div className={styles.filter}>
              <Select
                label={historyWords.filter}
                value={outcome}
                choices={FILTERS}
                onChange={(chosen) => {
                  setOutcome(chosen);
                  setOffset(0);
                }}
              />
            </div>
          </search>
        )}
        <Loaded query={list} waitingFor={historyWords.loading} heights={[44, 44, 44, 44, 44]} />
        {list.data ? (
          <Runs
            list={list.data}
            chosen={chosen}
            isSearched={isSearched}
            isFiltered={isFiltered}
            offset={offset}
            onChoose={choose}
            onOffset={setOffset}
            onClear={clear}
          />
        ) : null}
      </Stack>
    </Page>
  );
}

interface RunsProps {
  readonly list: CallOutput<'runs.list'>;
  readonly chosen: ReadonlyMap<string, RunRow>;
  readonly onChoose: (run: RunRow, isChosen: boolean) => void;
  readonly isSearched: boolean;
  readonly isFiltered: boolean;
  readonly offset: number;
  readonly onOffset: (offset: number) => void;
  readonly onClear: () => void;
}

function Runs({ list, chosen, isSearched, isFiltered, offset, onChoose, onOffset, onClear }: RunsProps) {
  const historyWords = laterWords.history;
  if (list.total === 0) {
    return isFiltered ? (
      <EmptyState
        icon={<Search size={32} />}
        title={historyWords.nothingFound.title}
        action={<Button onPress={onClear}>{historyWords.nothingFound.action}</Button>}
      >
        {historyWords.nothingFound.text}
      </EmptyState>
    ) : (
      <EmptyState
        icon={<History size={32} />}
        title={historyWords.empty.title}
        action={
          <LinkButton look="primary" to="/new">
            {historyWords.empty.action}
          </LinkButton>
        }
      >
        {historyWords.empty.text}
      </EmptyState>
    );
  }
  const last = Math.min(offset + list.runs.length, list.total);
  const showPage = (next: number): void => {
    onOffset(next);
    window.scrollTo({ top: 0 });
  };
  return (
    <>
      <RunTable key={String(isSearched)} runs={list.runs} chosen={chosen} onChoose={onChoose} isSearched={isSearched} />
      <nav className={styles.paging} aria-label={historyWords.pages}>
        <p aria-live="polite">{historyWords.count(formatCount(offset + 1), formatCount(last), formatCount(list.total))}</p>
        {list.total > PAGE_SIZE ? (
          <>
            <Button size="small" isDisabled={offset === 0} onPress={() => showPage(Math.max(0, offset - PAGE_SIZE))}>
              {historyWords.previous}
            </Button>
            <Button size="small" isDisabled={last >= list.total} onPress={() => showPage(offset + PAGE_SIZE)}>
              {historyWords.next}
            </Button>
          </>
        ) : null}
      </nav>
    </>
  );
}
