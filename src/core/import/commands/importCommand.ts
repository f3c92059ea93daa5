import { hasPlaceholders } from '#core/plan/secrets.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { describeAskedValue, Draft, withoutNulls, proposeUsers, type WrittenLoad } from '../draft.ts';
import { type ImportResult, refuse } from '../imported.ts';
import { unescapePlaceholders } from '../placeholders.ts';
import { findMarks, replaceMarksByNames } from '../shells/shellText.ts';
import { NO_COMMANDS, type ToolCommand, type ToolCommands } from '../shells/shellCommands.ts';
import { type CommandRequest, loginFields, targetLogin } from './commandRequest.ts';
import { type CommandSettings, mergeSettings } from './commandSettings.ts';
import { type Problem, NO_ADDRESS_MESSAGE } from './parseOptions.ts';
import { readCommand, type ReadCommand } from './readCommand.ts';
import type { Repetition } from '../shells/loops.ts';
import { loadOfRepetition, noteRepeatedLoad, readRepeated, refuseRepeated, type Repeated, sendsOnce } from './repeated.ts';
import { TOOLS } from './tools.ts';
import { EXAMPLE_ADDRESS, EXAMPLE_COMMAND, leaveOutOtherServer, LEFT_OUT_NOTE } from '../notes.ts';

const MAX_OTHERS = 5;

/** Converts the commands of a text to a plan: the first load command, or else all curl commands. */
export function importCommands(found: ToolCommands | null): ImportResult {
  const { commands, unfilled } = found ?? NO_COMMANDS;
  const first = commands.find(({ tool }) => TOOLS[tool].sendsOnce !== true) ?? commands[0];
  if (first === undefined) return refuse('NO_COMMAND', '', 'The text contains no known command.', EXAMPLE_COMMAND);
  const isRated = first.tool === 'wrk' && first.words.some((word) => /^(-R|--rate)/.test(word));
  const draft = new Draft(isRated ? 'wrk2' : first.tool);
  const taken = TOOLS[first.tool].sendsOnce === true ? commands : [first];
  const repeated: Repeated = sendsOnce(first)
    ? readRepeated(found ?? NO_COMMANDS, taken)
    : { kind: 'commands', commands: taken, repetition: null };
  if (repeated.kind === 'refused') return refuseRepeated(draft, repeated);
  const { repetition } = repeated;
  if (!sendsOnce(first)) noteRepeatedLoad(draft, found ?? NO_COMMANDS);
  const requests = repeated.commands.flatMap((command) => TOOLS[command.tool].split?.(draft, command) ?? [command]);
  noteSurroundings(draft, found ?? NO_COMMANDS, first);
  const variables = [
    ...new Set(requests.flatMap(({ words, input }) => [...words, input?.kind === 'text' ? input.text : ''].flatMap(findMarks))),
  ];
  const numbered = repetition?.numbered;
  for (const name of variables)
    draft.variable(name, name === numbered?.name ? { kind: 'number', from: numbered.from, to: numbered.to } : draft.askSecret(name));
  const problems: Problem[] = [];
  const read = requests.map((command) => readCommand(draft, command, problems));
  if (problems.length > 0) {
    const issues = problems.map(({ option, message, hint }) => ({
      level: 'error' as const,
      code: 'COMMAND_UNREADABLE',
      path: replaceMarksByNames(option),
      message: replaceMarksByNames(message),
      hint,
    }));
    return { kind: 'refused', issues, notes: draft.notes };
  }
  const result = refuseMarks(planFrom(draft, read, repetition), draft);
  if (result.kind === 'refused') return result;
  for (const name of variables.filter((one) => one !== numbered?.name && getOwn(result.imported.plan.variables ?? {}, one) !== undefined)) {
    const { what = `$${name}`, why = 'a shell variable' } = unfilled.findLast((one) => one.name === name) ?? {};
    draft.noteChanged(what.slice(0, 60), `It is ${why}.`, describeAskedValue(name));
  }
  return result;
}

/** Notes what surrounds the commands of a text: other programs, and what only a shell can evaluate. */
function noteSurroundings(draft: Draft, { commands, others, unfilled, assumed }: ToolCommands, first: ToolCommand): void {
  for (const { what, why, name } of unfilled) if (name === undefined) draft.noteLeftOut(what, `It is ${why}.`, 'Nothing replaces it.');
  for (const [name, value] of assumed)
    draft.noteAssumed(`$${name}`, 'It is a shell variable with a default in the text.', `It is ${value.slice(0, 40)} in the plan.`);
  for (const other of others.slice(0, MAX_OTHERS)) draft.noteLeftOut(other, 'This is another program.', 'Holdfast does not run it.');
  if (others.length > MAX_OTHERS)
    draft.noteLeftOut('other lines', `There are ${others.length - MAX_OTHERS} more lines without a known command.`, LEFT_OUT_NOTE);
  const [before] = first.before;
  if (before !== undefined) draft.noteLeftOut(before.slice(0, 60), `It comes before ${first.tool}.`, 'Holdfast sends the load itself.');
  if (TOOLS[first.tool].sendsOnce !== true && commands.length > 1)
    draft.noteLeftOut(
      'further commands',
      `A plan uses one load command. It uses the first, ${first.tool}.`,
      'Import the others separately.',
    );
}

/** Refuses a plan with a shell variable at a position where plans cannot insert a value, because the plan would differ from the command. */
function refuseMarks(result: ImportResult, draft: Draft): ImportResult {
  if (result.kind === 'refused')
    return {
      ...result,
      issues: result.issues.map((issue) => ({
        ...issue,
        path: replaceMarksByNames(issue.path),
        message: replaceMarksByNames(issue.message),
      })),
    };
  const [mark] = findMarks(JSON.stringify(result.imported.written));
  if (mark === undefined) return result;
  const hint = 'Replace it with its value and paste the command again.';
  return refuse('COMMAND_UNREADABLE', `$${mark}`, 'A shell variable is where a plan needs a value.', hint, draft.notes);
}

/** Converts a rate of requests to a rate of journeys, each of which sends every request once. */
function toJourneyRate(draft: Draft, load: WrittenLoad, steps: number): WrittenLoad {
  if (load.model !== 'arrivals' || steps < 2) return load;
  draft.noteChanged(
    'rate',
    `The rate is that of ${steps} targets in turn.`,
    'Each journey of the plan sends all of them, at as many requests a second.',
  );
  return {
    ...load,
    stages: load.stages.map((stage) => (stage.kind === 'constant' ? { ...stage, perSecond: stage.perSecond / steps } : stage)),
  };
}

/** Converts an address to a plan with a proposed load. */
export function importAddress(text: string): ImportResult {
  const draft = new Draft('address');
  const problems: Problem[] = [];
  const command = { tool: 'curl' as const, words: ['--url', text], before: [], input: null };
  const read = readCommand(draft, command, problems, { connections: 10, seconds: 30 });
  return problems.length > 0 ? refuse('NO_ADDRESS', '', NO_ADDRESS_MESSAGE, EXAMPLE_ADDRESS) : planFrom(draft, [read]);
}

/** Converts the requests of a list, written as curl commands, to a plan with a proposed load. */
export function importListed(draft: Draft, requests: readonly (readonly string[])[]): ImportResult {
  const problems: Problem[] = [];
  const read = requests.map((words) => readCommand(draft, { tool: 'curl', words, before: [], input: null }, problems));
  const issues = problems.map(({ option, message, hint }) => ({
    level: 'error' as const,
    code: 'LIST_UNREADABLE',
    path: option,
    message,
    hint,
  }));
  return issues.length > 0 ? { kind: 'refused', issues, notes: draft.notes } : planFrom(draft, read);
}

type SentRequest = CommandRequest & { readonly settings: CommandSettings };

function planFrom(draft: Draft, read: readonly ReadCommand[], repetition: Repetition | null = null): ImportResult {
  // Each round of a loop starts the program anew, which then opens its own connections.
  const requests = read.flatMap(({ requests: all, settings }) =>
    all.map((request) => ({ ...request, settings: repetition === null ? settings : { ...settings, closes: true } })),
  );
  const [first] = requests;
  if (first === undefined || read[0] === undefined) return draft.finish({ name: 'Imported', targets: [], load: proposeUsers() });
  const { host } = new URL(first.origin);
  const isCommand = draft.kind !== 'address' && draft.kind !== 'urls';
  const name = isCommand ? `${draft.kind} of ${host}` : `Load on ${host}`;
  if (requests.length === 1) {
    const { connections, load } = read[0];
    const isProposed = read[0].isProposed && repetition === null;
    const what = isCommand ? `${draft.kind} sends one request and defines no load.` : 'An address defines no load.';
    const proposed = connections === 1 ? '1 connection' : `${connections} connections`;
    if (isProposed) draft.noteAssumed('load', what, `Proposed: ${proposed} for 30 seconds.`);
    const target = addOnlyRequest(draft, first);
    const own = repetition === null ? load : loadOfRounds(draft, repetition);
    return draft.finish({ name, targets: [target], load: own, settings: mergeSettings(draft, [first.settings]) });
  }
  const taken = addRequests(draft, requests, first);
  if (read.some(({ isParallel }) => isParallel))
    draft.noteChanged('-Z', 'The command sends its requests in parallel.', 'A user of the plan sends them one after the other.');
  const isProposed = read[0].isProposed && repetition === null;
  if (isProposed)
    draft.noteAssumed(
      'load',
      `${isCommand ? `${draft.kind} commands define` : 'A list of addresses defines'} no load.`,
      'Proposed: ten users who repeat all requests for a minute.',
    );
  const own = isProposed ? proposeUsers() : toJourneyRate(draft, read[0].load, draft.steps.length);
  const load = repetition === null ? own : loadOfRounds(draft, repetition);
  return draft.finish({ name, targets: [{ url: `${first.origin}/` }], load, settings: mergeSettings(draft, taken) });
}

/** Returns the load of a loop, and lets the last step of a round wait as the loop does. */
function loadOfRounds(draft: Draft, repetition: Repetition): WrittenLoad {
  const last = draft.steps.at(-1);
  const { pauseSeconds, isBackground } = repetition;
  if (last !== undefined && pauseSeconds > 0 && !isBackground)
    draft.changeStep(last.name, (step) => ({ ...step, thinkTime: { kind: 'fixed', seconds: pauseSeconds } }));
  return loadOfRepetition(draft, repetition, draft.steps.length);
}

/**
 * Adds the only request of a plan. Returns the target with the constant headers and login of the request, because values are inserted only
 * in steps.
 */
function addOnlyRequest(draft: Draft, { origin, url, step: { headers = {}, ...step }, cookie, login }: SentRequest) {
  const auth = targetLogin(draft, login);
  const isFilledIn = (value: unknown): boolean => typeof value === 'string' && value.includes('{{');
  // JSON and forms have default types, which only a header of the step overrides.
  const hasType = step.json !== undefined || step.form !== undefined;
  const isOfStep = ([key, value]: readonly [string, unknown]): boolean => isFilledIn(value) || (hasType && /^content-type$/i.test(key));
  const [own = [], constant = []] = [true, false].map((isOwn) => Object.entries(headers).filter((header) => isOfStep(header) === isOwn));
  if (cookie !== null && isFilledIn(cookie)) own.push(['Cookie', cookie]);
  const ofStep = auth === null ? loginFields(draft, login) : {};
  draft.addStep(
    { ...step, ...ofStep, ...withoutNulls({ headers: Object.fromEntries(own) }), ...(url === null ? {} : { path: '' }) },
    'command',
  );
  return {
    url: url ?? `${origin}/`,
    ...withoutNulls({
      auth,
      headers: Object.fromEntries(constant),
      cookie: cookie === null || isFilledIn(cookie) ? null : draft.secret('Cookie', cookie, 'cookie'),
    }),
  };
}

/** Adds the requests of several commands, and returns the settings of their commands. */
function addRequests(draft: Draft, requests: readonly SentRequest[], first: SentRequest): CommandSettings[] {
  const taken = new Set<CommandSettings>();
  for (const [index, { origin, step, cookie, login, settings }] of requests.entries()) {
    const location = `request ${index + 1}`;
    const target = settings.socketPath === first.settings.socketPath ? draft.targetAt(origin, first.origin) : null;
    if (target === null) {
      leaveOutOtherServer(draft, location, settings.socketPath === null ? origin : `${origin} at ${settings.socketPath}`);
      continue;
    }
    const cookies =
      cookie === null ? {} : { Cookie: hasPlaceholders(cookie) ? cookie : draft.secret('Cookie', unescapePlaceholders(cookie), location) };
    const name = `${step.method ?? 'GET'} ${new URL(`${origin}${step.path ?? ''}`).pathname}`;
    const added = draft.addStep(
      { ...step, ...target, ...loginFields(draft, login), name, headers: { ...step.headers, ...cookies } },
      location,
    );
    if (added !== null) taken.add(settings);
  }
  return [...taken];
}
