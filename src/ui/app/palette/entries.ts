import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { navigate } from 'wouter/use-hash-location';
import { CALCULATOR_TITLES } from '#core/calculators/calculator.ts';
import { callKey, useConnection } from '#ui/shared/backend.ts';
import { useOffers } from '#ui/shared/offers.ts';
import { useDebounced } from '#ui/shared/useDebounced.ts';
import { STORED } from '#ui/shared/stored.ts';
import { applyTheme, THEMES } from '#ui/shared/theme.ts';
import { startWizard } from '#ui/shared/wizardSeed.ts';
import { laterWords } from '#ui/words/laterWords.ts';
import { formatWhen, words } from '#ui/words/words.ts';
import { useWizard } from '#ui/wizard/WizardProvider.tsx';
import { scoreMatch } from './fuzzy.ts';

const texts = laterWords.palette;

/** Something that the palette opens or does. */
export interface PaletteEntry {
  /** Id that is the same in all windows, so that recent entries are found again. */
  readonly id: string;
  readonly group: PaletteGroup;
  readonly label: string;
  /** Second line of the entry, such as a time or an address. */
  readonly about: string;
  readonly act: () => void;
}

export const PALETTE_GROUPS = ['recent', 'runs', 'pages', 'commands', 'series', 'searches', 'presets'] as const;
export type PaletteGroup = (typeof PALETTE_GROUPS)[number];

/** Number of the newest runs, series and searches that are matched letter by letter. Older runs are found by the backend. */
const MAX_NEWEST = 100;
const MAX_FOUND = 20;
/** Maximum number of shown entries of a group, with and without a query. */
const MAX_SHOWN = 8;
const MAX_SHOWN_AT_FIRST = 5;
const FRESH_MS = 5_000;

const PAGES: readonly (readonly [path: string, label: string])[] = [
  ['/new', words.app.newTest],
  ['/history', words.app.history],
  ['/searches', words.searches.title],
  ['/compare', laterWords.compare.page],
  ['/hosts', words.app.hosts],
  ['/hosts/join', laterWords.join.open],
  ['/practice', words.app.practice],
  ['/calculate', words.app.calculate],
  ...Object.entries(CALCULATOR_TITLES).map(([id, title]): [string, string] => [`/calculate/${id}`, texts.calculator(title)]),
  ['/settings', words.app.settings],
];

/** Pages on which a test or a search begins. */
const STARTS: readonly (readonly [path: string, label: string])[] = [
  ['/record', texts.commands.record],
  ['/breaking-point', texts.commands.breakingPoint],
  ['/server', texts.commands.server],
  ['/versions', texts.commands.versions],
  ['/compare/files', texts.commands.compareFiles],
  ['/sealed', texts.commands.verify],
];

const entryOfPath =
  (group: 'pages' | 'commands') =>
  ([path, label]: readonly [string, string]): PaletteEntry => ({ id: path, group, label, about: '', act: () => navigate(path) });

/** Returns the entries that match a query: the recent ones first, then each group, the best match first. */
export function usePaletteEntries(query: string, path: string): readonly PaletteEntry[] {
  const all = [
    ...PAGES.map(entryOfPath('pages')),
    ...commandEntries(path),
    ...STARTS.map(entryOfPath('commands')),
    ...useStoredEntries(useDebounced(query.trim())),
    ...usePresetEntries(),
  ];
  return chooseEntries(all, query, recentIds());
}

/** Chooses and orders entries for {@link usePaletteEntries}. `recent`: ids of the entries that were used last, the newest first. */
export function chooseEntries(all: readonly PaletteEntry[], query: string, recent: readonly string[]): PaletteEntry[] {
  const matches = all
    .map((entry) => ({ entry, score: scoreMatch(query, `${entry.label} ${entry.about}`) }))
    .filter((match): match is { entry: PaletteEntry; score: number } => match.score !== null);
  const isEmpty = query.trim() === '';
  if (!isEmpty) matches.sort((one, other) => other.score - one.score);
  const entries = matches.map(({ entry }) => entry);
  const used = recent
    .flatMap((id) => entries.find((entry) => entry.id === id) ?? [])
    .map((entry): PaletteEntry => ({ ...entry, group: 'recent' }));
  const rest = entries.filter(({ id }) => !used.some((entry) => entry.id === id));
  const groups = [...Map.groupBy([...used, ...rest], ({ group }) => group)];
  const byPlace = isEmpty ? groups.toSorted(([one], [other]) => PALETTE_GROUPS.indexOf(one) - PALETTE_GROUPS.indexOf(other)) : groups;
  return byPlace.flatMap(([group, ofGroup]) => ofGroup.slice(0, chooseLimit(group, isEmpty)));
}

function chooseLimit(group: PaletteGroup, isEmpty: boolean): number {
  if (group === 'pages' || group === 'commands') return Number.MAX_VALUE;
  return isEmpty ? MAX_SHOWN_AT_FIRST : MAX_SHOWN;
}

/** Runs, series and searches: the newest ones, and the runs that the backend finds. */
function useStoredEntries(query: string): PaletteEntry[] {
  const connection = useConnection();
  const useList = <T>(key: readonly unknown[], queryFn: () => Promise<T>): T | undefined =>
    // oxlint-disable-next-line react-hooks/rules-of-hooks -- [called in the same order each time]
    useQuery({ queryKey: [...key, 'palette'], queryFn, staleTime: FRESH_MS, placeholderData: keepPreviousData }).data;
  const newest = useList(callKey('runs.list', { limit: MAX_NEWEST }), () => connection.call('runs.list', { limit: MAX_NEWEST }));
  const search = query.slice(0, 200);
  const found = useList(callKey('runs.list', { search, limit: MAX_FOUND }), () =>
    connection.call('runs.list', { search, limit: MAX_FOUND }),
  );
  const series = useList(callKey('series.list', { limit: MAX_NEWEST }), () => connection.call('series.list', { limit: MAX_NEWEST }));
  const searches = useList(callKey('searches.list', { limit: MAX_NEWEST }), () => connection.call('searches.list', { limit: MAX_NEWEST }));
  const runs = new Map([...(newest?.runs ?? []), ...(found?.runs ?? [])].map((run) => [run.id, run]));
  const toEntry = (
    group: 'runs' | 'series' | 'searches',
    at: string,
    head: { id: string; name: string; startedAt: string },
    about = '',
  ): PaletteEntry => ({
    id: `${at}/${head.id}`,
    group,
    label: head.name,
    about: [formatWhen(head.startedAt), about].filter(Boolean).join(' · '),
    act: () => navigate(`${at}/${head.id}`),
  });
  return [
    ...[...runs.values()].map((run) => toEntry('runs', '/runs', run, run.target)),
    ...(series?.series ?? []).map((head) => toEntry('series', '/series', head)),
    ...(searches?.searches ?? []).map((head) => toEntry('searches', '/searches', head, head.sentence)),
  ];
}

function usePresetEntries(): PaletteEntry[] {
  const { dispatch } = useWizard();
  return (useOffers() ?? []).map(({ id, title, story }) => ({
    id: `preset:${id}`,
    group: 'presets',
    label: title,
    about: story,
    act: () => {
      dispatch({ type: 'presetChosen', id });
      navigate('/new');
    },
  }));
}

/** Commands of this page, and of all pages. */
function commandEntries(path: string): PaletteEntry[] {
  const command = (id: string, label: string, act: () => void): PaletteEntry => ({
    id: `do-${id}`,
    group: 'commands',
    label,
    about: '',
    act,
  });
  const [, runId] = /^\/runs\/([^/]+)$/.exec(path) ?? [];
  return [
    ...(runId === undefined
      ? []
      : [
          command('runAgain', words.results.bar.again, () => startWizard({ kind: 'run', runId, starts: true })),
          command('editPlan', words.results.editPlan, () => startWizard({ kind: 'run', runId })),
          command('compareThis', laterWords.compare.fromResult, () => navigate(`/compare/${runId}`)),
        ]),
    ...THEMES.map((theme) =>
      command(`theme:${theme}`, texts.theme(words.settings.themes[theme]), () => {
        localStorage.setItem(STORED.theme, theme);
        applyTheme(theme, document.documentElement);
      }),
    ),
  ];
}

const MAX_RECENT = 5;
const MAX_ID_LENGTH = 100;

function recentIds(): string[] {
  return (localStorage.getItem(STORED.recent) ?? '').split('\n').filter(Boolean).slice(0, MAX_RECENT);
}

/** Stores an entry as the most recent one. */
export function rememberEntry({ id }: PaletteEntry): void {
  if (id.length > MAX_ID_LENGTH) return;
  localStorage.setItem(STORED.recent, [id, ...recentIds().filter((other) => other !== id)].slice(0, MAX_RECENT).join('\n'));
}
