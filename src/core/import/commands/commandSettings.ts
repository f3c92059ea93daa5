import { DEFAULT_TIMEOUT_SECONDS } from '#core/plan/schema/plan.ts';
import type { Draft } from '../draft.ts';
import type { ToolCommand } from '../shells/shellCommands.ts';
import type { CommandRequest } from './commandRequest.ts';
import { durationSeconds, type Parsed, type Problem } from './parseOptions.ts';
import type { Tool } from './tools.ts';

/** What a command says of certificates, time limits and connections; null where it says nothing. */
export interface CommandSettings {
  readonly isInsecure: boolean;
  readonly timeoutSeconds: number | null;
  readonly connectSeconds: number | null;
  readonly closes: boolean;
  readonly socketPath: string | null;
  readonly localAddress: string | null;
}

/** The same as a plan says it, of all of its requests. */
export interface WrittenSettings {
  readonly tls?: { readonly verify: boolean };
  readonly timeoutSeconds?: number;
  readonly connections?: { reuse?: 'never'; connectSeconds?: number; socketPath?: string; localAddresses?: string[] };
}

/** Reads what a command says of certificates, time limits and connections. */
export function settingsOf(
  draft: Draft,
  command: ToolCommand,
  tool: Tool,
  { fields, switches }: Parsed,
  requests: readonly CommandRequest[],
  problems: Problem[],
): CommandSettings {
  const isSecure = requests.some(({ origin }) => origin.startsWith('https:'));
  if (isSecure && !tool.verifies && !switches.has('insecure'))
    draft.changed('https', `${command.tool} does not look at certificates.`, 'Holdfast verifies them; tls: {verify: false} accepts any.');
  const reconnect = fields.get('reconnect')?.at(-1);
  const closesByHeader = (fields.get('header') ?? []).some(({ value }) => /^connection\s*[:=].*close/i.test(value));
  const closes = (tool.closes && !switches.has('keepAlive')) || switches.has('closes') || closesByHeader || reconnect?.value === '1';
  if (reconnect !== undefined && reconnect.value !== '1')
    draft.leftOut(
      reconnect.option,
      'Connections are opened anew after a number of requests.',
      'They are used as long as the server lets them.',
    );
  const timeoutSeconds = seconds(draft, fields.get('timeout')?.at(-1), problems, 1);
  const connectSeconds = seconds(draft, fields.get('connectTimeout')?.at(-1), problems, 0.001);
  const socketPath = fields.get('unixSocket')?.at(-1)?.value ?? null;
  const local = fields.get('localAddress')?.at(-1);
  const isAddress = local !== undefined && /^[\d.]+$|^[\da-f:]+:[\da-f:.]*$/i.test(local.value);
  if (local !== undefined && !isAddress)
    draft.leftOut(
      local.option,
      'Connections are made from a network interface by its name.',
      'The system chooses. connections.localAddresses takes addresses.',
    );
  const localAddress = local !== undefined && isAddress ? local.value : null;
  return { isInsecure: switches.has('insecure'), timeoutSeconds, connectSeconds, closes, socketPath, localAddress };
}

/** The settings of a plan of such commands. They hold for all of its requests, so where commands differ, what lets the most through is taken, and told. */
export function settingsTogether(draft: Draft, commands: readonly CommandSettings[]): WrittenSettings {
  const together = <Value>(place: string, values: readonly Value[], taken: Value, what: string, instead: string): Value => {
    if (values.some((value) => value !== taken)) draft.changed(place, what, instead);
    return taken;
  };
  const isInsecure = together(
    '-k',
    commands.map((one) => one.isInsecure),
    commands.some((one) => one.isInsecure),
    'Any certificate is accepted, by not all of the requests.',
    'The plan has one rule for all: tls: {verify: false}.',
  );
  const timeouts = commands.map((one) => one.timeoutSeconds);
  const timeoutSeconds = together(
    '-m',
    timeouts,
    longest(timeouts, DEFAULT_TIMEOUT_SECONDS),
    'The requests do not all have the same limit of time.',
    `The longest holds for all of them; one that says none has Holdfast’s ${DEFAULT_TIMEOUT_SECONDS} seconds.`,
  );
  const connectLimits = commands.map((one) => one.connectSeconds);
  const connectSeconds = together(
    '--connect-timeout',
    connectLimits,
    longest(connectLimits, Infinity),
    'Connections do not all have the same limit of time.',
    'The longest holds for all of them, and none where one command says none.',
  );
  const closes = together(
    'Connection: close',
    commands.map((one) => one.closes),
    commands.some((one) => one.closes),
    'The connection is closed behind not all of the requests.',
    'The plan closes it behind each: connections: {reuse: never}.',
  );
  const addresses = commands.map((one) => one.localAddress);
  const localAddress = together(
    '--interface',
    addresses,
    addresses.find((one) => one !== null) ?? null,
    'Connections do not all begin at the same address.',
    'They all begin at the first one that is named.',
  );
  const socketPath = commands[0]?.socketPath ?? null;
  const connections = {
    ...(closes ? { reuse: 'never' as const } : {}),
    ...(connectSeconds === null ? {} : { connectSeconds }),
    ...(socketPath === null ? {} : { socketPath }),
    ...(localAddress === null ? {} : { localAddresses: [localAddress] }),
  };
  return {
    ...(isInsecure ? { tls: { verify: false } } : {}),
    ...(timeoutSeconds === null ? {} : { timeoutSeconds }),
    ...(Object.keys(connections).length === 0 ? {} : { connections }),
  };
}

/** The longest of several limits; null, which stands for `unsaid`, where that is the longest. */
function longest(limits: readonly (number | null)[], unsaid: number): number | null {
  return limits.reduce((most, one) => ((one ?? unsaid) > (most ?? unsaid) ? one : most), limits[0] ?? null);
}

/** A time limit, at least and at most what a plan takes; null without. */
function seconds(draft: Draft, given: { option: string; value: string } | undefined, problems: Problem[], least: number): number | null {
  if (given === undefined) return null;
  const limit = durationSeconds(given.value);
  if (limit === null) {
    problems.push({
      option: `${given.option} ${given.value.slice(0, 20)}`,
      message: 'This is no time.',
      hint: 'Write seconds, or a number with s, m or h behind it.',
    });
    return null;
  }
  if (limit === 0) {
    draft.leftOut(given.option, 'There is no limit of time.', `Holdfast’s own holds: ${DEFAULT_TIMEOUT_SECONDS} seconds.`);
    return null;
  }
  const kept = Math.min(3_600, Math.max(least, limit));
  if (kept !== limit) draft.changed(given.option, `The limit of time is ${limit} s.`, `A plan takes ${kept} s.`);
  return kept;
}
