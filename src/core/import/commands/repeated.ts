import { MAX_CONNECTIONS, MAX_REQUESTS } from '#core/plan/schema/load.ts';
import { MAX_STEPS } from '#core/plan/schema/plan.ts';
import type { Draft, WrittenLoad } from '../draft.ts';
import { type ImportResult, refuse } from '../imported.ts';
import { describeDifferentRequests, ENDLESS_NOTE } from '../notes.ts';
import type { Repetition } from '../shells/loops.ts';
import { looksLikeAddress, type ToolCommand, type ToolCommands } from '../shells/shellCommands.ts';
import { durationSeconds, parseWholeNumber } from './amounts.ts';
import { TOOLS } from './tools.ts';

/** Duration of a load that a loop sends until it is stopped. */
const ENDLESS_SECONDS = 60;
/** Pause of watch without -n. */
const WATCH_SECONDS = 2;

const INSTEAD_HINT =
  'Import the command without the loop, and set the load in the plan. Or write it as a load: ab -n 100 -c 10 http://localhost:8080/';
const LIST_HINT =
  'Put the addresses into a file, one a line, and import that: holdfast import urls FILE. Or let a feed of the plan fill in what changes.';

/** The commands of a text, and how a loop, xargs, parallel or watch repeats them; or why that cannot be imported. */
export type Repeated =
  | { readonly kind: 'refused'; readonly location: string; readonly what: string; readonly hint: string }
  | { readonly kind: 'commands'; readonly commands: readonly ToolCommand[]; readonly repetition: Repetition | null };

/** Returns how often a text runs the commands that are imported. */
export function readRepeated({ loop }: ToolCommands, taken: readonly ToolCommand[]): Repeated {
  const [first] = taken;
  if (loop.kind === 'unreadable') {
    const hint = /value|different|lines|over/.test(loop.what) ? LIST_HINT : INSTEAD_HINT;
    return { kind: 'refused', location: loop.keyword, what: `A loop repeats the command. ${loop.what}`, hint };
  }
  const launcher = first?.before.findIndex((word) => /(?:^|\/)(?:xargs|parallel|watch)$/.test(word)) ?? -1;
  if (loop.kind === 'read') {
    const limit = first?.before.findIndex((word) => /(?:^|\/)timeout$/.test(word)) ?? -1;
    const seconds = limit < 0 ? null : durationSeconds(first?.before[limit + 1] ?? '');
    return { kind: 'commands', commands: taken, repetition: { ...loop.repetition, ...(seconds === null ? {} : { maxSeconds: seconds }) } };
  }
  if (first === undefined || launcher < 0) return { kind: 'commands', commands: taken, repetition: null };
  const program = first.before[launcher]?.split('/').at(-1) ?? '';
  const options = readLauncherOptions(first.before.slice(launcher + 1));
  if (program === 'watch')
    return { kind: 'commands', commands: taken, repetition: { ...ONCE, keyword: program, rounds: null, pauseSeconds: options.interval } };
  return readDistributed(first, program, options);
}

const ONCE: Repetition = { keyword: '', rounds: 1, atOnce: 1, pauseSeconds: 0, isBackground: false, isWrittenOut: false };

interface LauncherOptions {
  /** Number of commands at the same time; null: not stated. */
  readonly atOnce: number | null;
  /** Number of words of the input for each command; null: all, or one line. */
  readonly each: number | null;
  /** What is replaced by a line of the input; null: the input is added to the command. */
  readonly replaced: string | null;
  readonly interval: number;
  readonly isUnknown: boolean;
}

/** Reads the options of xargs, parallel and watch. */
function readLauncherOptions(words: readonly string[]): LauncherOptions {
  let options: LauncherOptions = { atOnce: null, each: null, replaced: null, interval: WATCH_SECONDS, isUnknown: false };
  const given = words.values();
  for (const word of given) {
    if (!word.startsWith('-')) break;
    const [, option = '', attached = ''] = /^(-[A-Za-z]|--[a-z-]+)(.*)$/.exec(word) ?? [];
    const value = (): string => (attached === '' ? (given.next().value ?? '') : attached);
    if (/^(?:-P|-j|--jobs)$/.test(option)) options = { ...options, atOnce: parseWholeNumber(value()) };
    else if (option === '--replace') options = { ...options, replaced: '{}' };
    else if (option === '-I' || option === '-i') options = { ...options, replaced: option === '-i' ? attached || '{}' : value() };
    else if (/^(?:-n|--interval|-L|-N)$/.test(option)) {
      const amount = Number(value());
      options = { ...options, each: amount, interval: amount };
    } else if (!/^(?:-[trcdebgx]|--(?:no-run-if-empty|verbose|will-cite|progress|bar))$/.test(option))
      options = { ...options, isUnknown: true };
  }
  return options;
}

/** Reads how xargs or parallel run a command for their input. */
function readDistributed(command: ToolCommand, program: string, options: LauncherOptions): Repeated {
  const refused = (what: string, hint = LIST_HINT): Repeated => ({ kind: 'refused', location: program, what, hint });
  const listed = program === 'parallel' ? command.words.findIndex((word) => /^:::\+?$/.test(word)) : -1;
  const words = listed < 0 ? command.words : command.words.slice(0, listed);
  const isParallel = program === 'parallel';
  const replaced = isParallel ? '{}' : options.replaced;
  const usesInput = replaced !== null && words.some((word) => word.includes(replaced));
  // The value of `--replace=` was cut off, because it may be a secret.
  if (!usesInput && command.before.includes('--replace')) return refused('What it replaces by a line of its input is unknown.');
  if (usesInput && listed < 0 && command.input?.kind !== 'text')
    return refused(`It puts each line of its input in place of ${replaced.slice(0, 20)}, and this input is unknown.`);
  if (!words.some(looksLikeAddress)) return refused('It adds the addresses of its input to the command, and this input is unknown.');
  const text = command.input?.kind === 'text' ? command.input.text : null;
  const items =
    listed >= 0
      ? command.words.slice(listed + 1)
      : text === null
        ? null
        : text.split(replaced === null && !isParallel ? /\s+/ : '\n').filter((item) => item.trim() !== '');
  if (items === null) return refused('How many lines its input has is unknown.', INSTEAD_HINT);
  if (options.isUnknown || (isParallel && options.atOnce === null))
    return refused('How many commands it runs at the same time is unknown.', INSTEAD_HINT);
  const each = isParallel || replaced !== null ? 1 : options.each;
  if (each === null || !(each > 0)) return refused('It runs the command once, with its whole input.', INSTEAD_HINT);
  const rounds = Math.ceil(items.length / each);
  const atOnce = options.atOnce === 0 ? rounds : Math.min(options.atOnce ?? 1, Math.max(1, rounds));
  const repetition: Repetition = { ...ONCE, keyword: program, rounds, atOnce };
  if (!usesInput) return { kind: 'commands', commands: [{ ...command, words, input: null }], repetition };
  if (atOnce > 1) return refused('It sends different requests at the same time.');
  if (rounds > MAX_STEPS) return refused(describeDifferentRequests(rounds));
  const commands = items.map((item) => ({ ...command, words: words.map((word) => word.replaceAll(replaced, () => item)), input: null }));
  return { kind: 'commands', commands, repetition: { ...repetition, rounds: 1, isWrittenOut: true } };
}

export function refuseRepeated(draft: Draft, { location, what, hint }: Extract<Repeated, { kind: 'refused' }>): ImportResult {
  return refuse('COMMAND_UNREADABLE', location, what, hint, draft.notes);
}

/** Notes a loop around a command that states its own load, which the plan contains once. */
export function noteRepeatedLoad(draft: Draft, { loop }: ToolCommands): void {
  const instead = 'The plan contains the load once. To repeat the run: holdfast run PLAN --repeats N';
  if (loop.kind === 'unreadable') draft.noteChanged(loop.keyword, 'A loop repeats the command.', instead);
  else if (loop.kind === 'read' && !loop.repetition.isWrittenOut)
    draft.noteChanged(
      loop.repetition.keyword,
      `A loop repeats the command${loop.repetition.rounds === null ? '' : ` ${loop.repetition.rounds} times`}.`,
      instead,
    );
}

/** Returns whether a command sends its requests once, as curl does, and needs a loop for a load. */
export function sendsOnce({ tool }: ToolCommand): boolean {
  return TOOLS[tool].sendsOnce === true;
}

/** Returns the load of a loop. `requests`: the number of requests that each round sends. */
export function loadOfRepetition(draft: Draft, repetition: Repetition, requests: number): WrittenLoad {
  const { keyword, rounds, atOnce, pauseSeconds, isBackground, maxSeconds } = repetition;
  const name = 'load';
  const connections = Math.min(atOnce, MAX_CONNECTIONS);
  if (rounds === null && maxSeconds === undefined) draft.noteAssumed(keyword, ...ENDLESS_NOTE);
  const endlessSeconds = maxSeconds ?? ENDLESS_SECONDS;
  if (pauseSeconds === 0) {
    const end = rounds === null ? { seconds: endlessSeconds } : { requests: Math.min(rounds * requests, MAX_REQUESTS) };
    return { model: 'connections', stages: [{ name, connections, ...end }] };
  }
  const seconds = rounds === null ? endlessSeconds : rounds * pauseSeconds;
  if (isBackground) {
    const arrivals = rounds ?? Math.max(1, Math.round(seconds / pauseSeconds));
    return { model: 'arrivals', stages: [{ name, kind: 'count', arrivals, seconds }] };
  }
  if (rounds !== null)
    draft.noteChanged(
      keyword,
      `It ends after ${rounds} rounds with a pause of ${pauseSeconds} s.`,
      `The plan ends after ${seconds} s, which are as many rounds if responses take no time.`,
    );
  return { model: 'users', stages: [{ name, users: connections, seconds }] };
}
