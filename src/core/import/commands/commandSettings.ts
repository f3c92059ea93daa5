import { DEFAULT_TIMEOUT_SECONDS } from '#core/plan/schema/plan.ts';
import type { Draft } from '../draft.ts';
import type { ToolCommand } from '../shells/shellCommands.ts';
import type { CommandRequest } from './commandRequest.ts';
import { durationSeconds, type Parsed, type Problem } from './parseOptions.ts';
import type { Tool } from './tools.ts';

/** Settings of a command for certificates, time limits and connections; null if it does not set them. */
export interface CommandSettings {
  readonly isInsecure: boolean;
  readonly timeoutSeconds: number | null;
  readonly connectSeconds: number | null;
  readonly closes: boolean;
  readonly usesHttp2: boolean;
  /** Number of HTTP/2 streams on each connection. */
  readonly streams: number;
  readonly socketPath: string | null;
  readonly localAddress: string | null;
}

/** The settings of a plan for all of its requests. */
export interface WrittenSettings {
  readonly tls?: { readonly verify: boolean };
  readonly timeoutSeconds?: number;
  readonly connections?: {
    protocol?: 'h2';
    streams?: number;
    reuse?: 'never';
    connectSeconds?: number;
    socketPath?: string;
    localAddresses?: string[];
  };
}

/** Reads the settings of a command for certificates, time limits and connections. */
export function settingsOf(
  draft: Draft,
  command: ToolCommand,
  tool: Tool,
  { fields, switches }: Parsed,
  requests: readonly CommandRequest[],
  problems: Problem[],
): Omit<CommandSettings, 'streams'> {
  const isSecure = requests.some(({ origin }) => origin.startsWith('https:'));
  if (isSecure && !tool.verifies && !switches.has('insecure'))
    draft.changed('https', `${command.tool} does not verify certificates.`, 'Holdfast does. To accept any, set tls: {verify: false}.');
  const reconnect = fields.get('reconnect')?.at(-1);
  const closesByHeader = (fields.get('header') ?? []).some(({ value }) => /^connection\s*[:=].*close/i.test(value));
  const closes = (tool.closes && !switches.has('keepAlive')) || switches.has('closes') || closesByHeader || reconnect?.value === '1';
  if (reconnect !== undefined && reconnect.value !== '1')
    draft.leftOut(
      reconnect.option,
      'Connections are closed after a number of requests.',
      'The plan keeps them as long as the server allows.',
    );
  const timeoutSeconds = seconds(draft, fields.get('timeout')?.at(-1), problems, 1);
  const connectSeconds = seconds(draft, fields.get('connectTimeout')?.at(-1), problems, 0.001);
  const socketPath = fields.get('unixSocket')?.at(-1)?.value ?? null;
  const local = fields.get('localAddress')?.at(-1);
  const isAddress = local !== undefined && /^[\d.]+$|^[\da-f:]+:[\da-f:.]*$/i.test(local.value);
  if (local !== undefined && !isAddress)
    draft.leftOut(
      local.option,
      'Connections use a network interface selected by name.',
      'The system chooses the interface. To select one, set its addresses in connections.localAddresses.',
    );
  const localAddress = local !== undefined && isAddress ? local.value : null;
  const usesHttp2 = switches.has('http2Always') || (switches.has('http2') && isSecure) || (tool.usesHttp2 && !switches.has('http1'));
  if (switches.has('http2') && !usesHttp2)
    draft.leftOut('HTTP/2', 'Without TLS, HTTP/2 is used only if the server offers an upgrade.', 'The plan uses HTTP/1.1.');
  return { isInsecure: switches.has('insecure'), timeoutSeconds, connectSeconds, closes, usesHttp2, socketPath, localAddress };
}

/** Returns the common settings for a plan of several commands. If commands differ, takes the most permissive setting and reports the difference. */
export function settingsTogether(draft: Draft, commands: readonly CommandSettings[]): WrittenSettings {
  const together = <Value>(place: string, values: readonly Value[], taken: Value, what: string, instead: string): Value => {
    if (values.some((value) => value !== taken)) draft.changed(place, what, instead);
    return taken;
  };
  const isInsecure = together(
    '-k',
    commands.map((one) => one.isInsecure),
    commands.some((one) => one.isInsecure),
    'Only some requests accept any certificate.',
    'The plan has one setting for all: tls: {verify: false}.',
  );
  const timeouts = commands.map((one) => one.timeoutSeconds);
  const timeoutSeconds = together(
    '-m',
    timeouts,
    longest(timeouts, DEFAULT_TIMEOUT_SECONDS),
    'The requests have different time limits.',
    `The plan uses the longest for all. A request without one counts as Holdfast’s ${DEFAULT_TIMEOUT_SECONDS} s.`,
  );
  const connectLimits = commands.map((one) => one.connectSeconds);
  const connectSeconds = together(
    '--connect-timeout',
    connectLimits,
    longest(connectLimits, Infinity),
    'Connections have different time limits.',
    'The plan uses the longest for all, or none if one command sets none.',
  );
  const closes = together(
    'Connection: close',
    commands.map((one) => one.closes),
    commands.some((one) => one.closes),
    'Only some requests close the connection.',
    'The plan closes it after each request: connections: {reuse: never}.',
  );
  const usesHttp2 = together(
    '--http2',
    commands.map((one) => one.usesHttp2),
    commands.some((one) => one.usesHttp2),
    'Only some requests use HTTP/2.',
    'The plan uses it for all.',
  );
  const addresses = commands.map((one) => one.localAddress);
  const localAddress = together(
    '--interface',
    addresses,
    addresses.find((one) => one !== null) ?? null,
    'Connections start from different local addresses.',
    'The plan uses the first one for all.',
  );
  const socketPath = commands[0]?.socketPath ?? null;
  const streams = commands[0]?.streams ?? 1;
  const connections = {
    ...(usesHttp2 ? { protocol: 'h2' as const } : {}),
    ...(usesHttp2 && streams > 1 ? { streams } : {}),
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

/** Returns the longest of several limits. A null counts as `unsaid`. */
function longest(limits: readonly (number | null)[], unsaid: number): number | null {
  return limits.reduce((most, one) => ((one ?? unsaid) > (most ?? unsaid) ? one : most), limits[0] ?? null);
}

/** Reads a time limit in seconds, from `least` to 3,600; null if there is none. */
function seconds(draft: Draft, given: { option: string; value: string } | undefined, problems: Problem[], least: number): number | null {
  if (given === undefined) return null;
  const limit = durationSeconds(given.value);
  if (limit === null) {
    problems.push({
      option: `${given.option} ${given.value.slice(0, 20)}`,
      message: 'This is not a time.',
      hint: 'Enter seconds, or a number followed by s, m or h.',
    });
    return null;
  }
  if (limit === 0) {
    draft.leftOut(given.option, 'There is no time limit.', `The plan uses Holdfast’s default of ${DEFAULT_TIMEOUT_SECONDS} s.`);
    return null;
  }
  const kept = Math.min(3_600, Math.max(least, limit));
  if (kept !== limit) draft.changed(given.option, `The time limit is ${limit} s.`, `The plan uses ${kept} s.`);
  return kept;
}
