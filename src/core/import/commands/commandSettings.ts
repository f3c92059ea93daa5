import type { Draft } from '../draft.ts';
import type { ToolCommand } from '../shells/shellCommands.ts';
import type { CommandRequest } from './commandRequest.ts';
import type { Parsed, Problem } from './parseOptions.ts';
import { durationSeconds } from './readValues.ts';
import type { Tool } from './tools.ts';

export interface Settings {
  readonly tls?: { readonly verify: boolean };
  readonly timeoutSeconds?: number;
  readonly connections?: { reuse?: 'never'; connectSeconds?: number; socketPath?: string; localAddresses?: string[] };
}

/** What a command says of certificates, time limits and connections. */
export function settingsOf(
  draft: Draft,
  command: ToolCommand,
  tool: Tool,
  { fields, switches }: Parsed,
  requests: readonly CommandRequest[],
  problems: Problem[],
): Settings {
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
  const socketPath = fields.get('unixSocket')?.at(-1)?.value;
  const local = fields.get('localAddress')?.at(-1);
  const isAddress = local !== undefined && /^[\d.]+$|^[\da-f:]+:[\da-f:.]*$/i.test(local.value);
  if (local !== undefined && !isAddress)
    draft.leftOut(
      local.option,
      'Connections are made from a network interface by its name.',
      'The system chooses. connections.localAddresses takes addresses.',
    );
  const connections = {
    ...(closes ? { reuse: 'never' as const } : {}),
    ...(connectSeconds === null ? {} : { connectSeconds }),
    ...(socketPath === undefined ? {} : { socketPath }),
    ...(local !== undefined && isAddress ? { localAddresses: [local.value] } : {}),
  };
  return {
    ...(switches.has('insecure') ? { tls: { verify: false } } : {}),
    ...(timeoutSeconds === null ? {} : { timeoutSeconds }),
    ...(Object.keys(connections).length === 0 ? {} : { connections }),
  };
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
    draft.leftOut(given.option, 'There is no limit of time.', 'Holdfast’s own holds: 120 seconds.');
    return null;
  }
  const kept = Math.min(3_600, Math.max(least, limit));
  if (kept !== limit) draft.changed(given.option, `The limit of time is ${limit} s.`, `A plan takes ${kept} s.`);
  return kept;
}
