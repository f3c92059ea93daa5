import { getOwn } from '#core/base/ownMembers.ts';
import type { PlanOfRecording } from '#core/import/har/importHar.ts';
import type { ImportResult } from '#core/import/imported.ts';
import { type AccountNames, ACCOUNT_FEED } from '#core/import/recording/accounts.ts';
import { finishRecording, type FinishedRecording } from '#core/import/recording/finishRecording.ts';
import { walkOfSamples } from '#core/import/recording/walk.ts';
import type { FeedRows } from '#core/plan/schema/feeds.ts';
import { type Plan, planSchema } from '#core/plan/schema/plan.ts';
import { envReference } from '#core/plan/secretReference.ts';
import { secretReferences, replaceByReferences } from '#core/plan/secrets.ts';
import { formatCount } from '#core/base/units.ts';
import { environmentName } from '#core/import/placeholders.ts';
import { readFeeds } from '../runs/readFiles.ts';
import { type TryParts, walkOnce } from '../tries/tryService.ts';

export interface KnownAccount {
  /** Number of the account in the recording. An account for the walks has the number of the recorded account that it replaces. */
  readonly number: number;
  readonly userName: string;
  readonly password: string;
}

export interface RecordingToFinish {
  /** Plan and walk from a HAR 1.2 with the user's actions; see docs/recording-values.md. */
  readonly recording: PlanOfRecording;
  readonly accounts: readonly KnownAccount[];
  /**
   * Other accounts for the walks; empty if only the recorded account is known. If the plan has an accounts file, the walks use its rows
   * instead, beginning with the second row.
   */
  readonly others: readonly KnownAccount[];
  /** Called before each walk with its number, from 1. */
  readonly onWalk?: (number: number) => void;
  /** Stops the current walk. The promise then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

export type FinishResult =
  | {
      readonly kind: 'finished';
      readonly finished: FinishedRecording;
      readonly notes: Extract<ImportResult, { kind: 'imported' }>['imported']['notes'];
    }
  | Extract<ImportResult, { kind: 'refused' }>;

/**
 * Walks the plan of a recording until the values that differ between walks are found. The plan refers to passwords and tokens as
 * `env:NAME`; their values are in `secrets`, as after any import. Each walk sends the whole journey once, so a server that stores
 * submissions gets one more set of them per walk.
 */
export async function finishRecordingFrom(
  { recording, accounts, others, onWalk, signal = new AbortController().signal }: RecordingToFinish,
  parts: Omit<TryParts, 'redaction'>,
): Promise<FinishResult> {
  const { result, walk: recorded, accounts: names } = recording;
  if (result.kind === 'refused') return result;
  const { plan, secrets: found, notes } = result.imported;
  const secrets = new Map([...found, ...getSecrets(names, accounts)]);
  const feed = getOwn(plan.feeds, ACCOUNT_FEED);
  const rows = feed === undefined ? 0 : (getOwn(await readFeeds(plan, parts.usedRows), ACCOUNT_FEED)?.rows.length ?? 0);
  const { keep } = parts.secrets;
  let walks = 0;
  const finishedRecording = await finishRecording(
    { plan, walk: recorded, secrets },
    {
      hasOtherAccount: others.length > 0 || rows > 1,
      giveWay: createYield(signal),
      walk: async (givenPlan, as, known) => {
        walks += 1;
        onWalk?.(walks);
        const walked = useKnownValues(as === 'other' ? replaceAccounts(givenPlan, names, others, keep) : givenPlan, known, keep);
        const walk = walks - 1;
        const rowOf = (feedRows: FeedRows): number => rowOfWalk(walk, feedRows.rows.length);
        const { samples } = await walkOnce(walked, parts, 'whole', { rowOf, signal });
        return walkOfSamples(givenPlan, samples);
      },
    },
  );
  if (rows === 0) return { kind: 'finished', finished: finishedRecording, notes };
  if (feed?.order === 'once') return { kind: 'finished', finished: finishedRecording, notes: [...notes, onceFeedNote(walks, rows)] };
  return {
    kind: 'finished',
    finished: { ...finishedRecording, plan: withoutUsedRows(finishedRecording.plan, walks, rows) },
    notes: [...notes, ...rowNotes(walks, rows)],
  };
}

/** Returns the row of a walk: the second row, the first, then the others. With more walks than rows, the first two rows alternate. */
function rowOfWalk(walk: number, count: number): number {
  if (count < 2) return 0;
  if (walk >= 2 && walk < count) return walk;
  return walk % 2 === 0 ? 1 : 0;
}

/** Skips the rows that the walks used up, if more than half of the rows remain after that. */
function withoutUsedRows(plan: Plan, walks: number, rows: number): Plan {
  const feed = getOwn(plan.feeds, ACCOUNT_FEED);
  if (feed === undefined || walks === 0 || !leavesEnoughRows(walks, rows)) return plan;
  return { ...plan, feeds: { ...plan.feeds, [ACCOUNT_FEED]: { ...feed, skip: walks } } };
}

function leavesEnoughRows(walks: number, rows: number): boolean {
  return walks < rows / 2;
}

type Notes = Extract<ImportResult, { kind: 'imported' }>['imported']['notes'];

function onceFeedNote(walks: number, rows: number): Notes[number] {
  return {
    kind: 'changed',
    location: 'feeds',
    what: `${formatCount(walks)} of ${formatCount(rows)} unused accounts were used to find values.`,
    instead: `${formatCount(rows - walks)} are left. Holdfast uses none of them twice.`,
  };
}

function rowNotes(walks: number, rows: number): Notes {
  if (walks === 0) return [];
  const used = Math.min(walks, rows);
  if (leavesEnoughRows(walks, rows))
    return [
      {
        kind: 'changed',
        location: 'feeds',
        what: `${formatCount(used)} of ${formatCount(rows)} accounts were used to find values.`,
        instead: `The plan begins behind them (skip: ${walks}). After each run of something that an account can do only once, increase “skip”.`,
      },
    ];
  const again = walks > rows ? ' Some walked twice.' : '';
  return [
    {
      kind: 'assumed',
      location: 'feeds',
      what: `${formatCount(used)} of ${formatCount(rows)} accounts were used to find values.${again}`,
      instead: 'If an account can do this only once, they are spent: add rows to the file, and leave these out by “skip”.',
    },
  ];
}

/** Returns the secrets of accounts as pairs of variable name and value. */
export function getSecrets(names: readonly AccountNames[], accounts: readonly KnownAccount[]): [string, string][] {
  return names.flatMap(({ number, password, basic }): [string, string][] => {
    const account = accounts.find((one) => one.number === number);
    if (account === undefined) return [];
    return [
      [environmentName(password), account.password],
      ...(basic === null ? [] : [[environmentName(basic), getLogin(account)] as [string, string]]),
    ];
  });
}

/** Replaces references to environment variables by references to the known values. */
function useKnownValues(plan: Plan, known: ReadonlyMap<string, string>, keep: (value: string) => string): Plan {
  const asked = new Set(secretReferences(plan));
  const found = [...known].filter(([name]) => asked.has(envReference(name)));
  return planSchema.parse(replaceByReferences(plan, new Map(found.map(([name, value]) => [envReference(name), keep(value)]))));
}

/** Replaces the recorded user names and passwords by those of other accounts. */
function replaceAccounts(
  plan: Plan,
  names: readonly AccountNames[],
  others: readonly KnownAccount[],
  keep: (value: string) => string,
): Plan {
  const secret = (value: string) => ({ kind: 'secret', secret: keep(value) }) as const;
  const values = new Map(
    names.flatMap(({ number, user, password, basic }): [string, NonNullable<Plan['variables']>[string]][] => {
      const other = others.find((one) => one.number === number);
      if (other === undefined) return [];
      return [
        [user, { kind: 'item', of: [other.userName], per: 'user' }],
        [password, secret(other.password)],
        ...(basic === null ? [] : [[basic, secret(getLogin(other))] as [string, ReturnType<typeof secret>]]),
      ];
    }),
  );
  const variables = Object.entries(plan.variables ?? {}).map(([name, variable]) => [name, values.get(name) ?? variable]);
  return variables.length === 0 ? plan : { ...plan, variables: Object.fromEntries(variables) };
}

/** Encodes the credentials of HTTP Basic authentication (RFC 7617). */
function getLogin({ userName, password }: KnownAccount): string {
  return Buffer.from(`${userName}:${password}`).toString('base64');
}

/** Maximum length of a turn. Neither a load in this process nor its live view notices a wait this short. */
const TURN_MS = 10;

/**
 * Divides seconds of work on the event loop into turns of `TURN_MS`. The work awaits the returned function every few milliseconds, which
 * lets other tasks run after each turn. The function rejects with the reason of the signal once the signal aborts.
 */
export function createYield(signal: AbortSignal): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    since = performance.now();
  };
}
