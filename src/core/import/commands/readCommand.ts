import { MAX_USERS } from '#core/plan/schema/load.ts';
import { MAX_STEPS } from '#core/plan/schema/plan.ts';
import { displayAddress } from '../address.ts';
import type { Draft, WrittenLoad } from '../draft.ts';
import type { ToolCommand } from '../shells/shellCommands.ts';
import { type ToolName, replaceMarksByNames } from '../shells/shellText.ts';
import { type CommandHeadersAndBody, readHeadersAndBody, buildRequest } from './commandRequest.ts';
import { readSettings } from './commandSettings.ts';
import { expandGlobs, uploadsByAddress } from './curlAddresses.ts';
import { ADDRESS_FILE_NOTE, type Field } from './meaning.ts';
import { durationSeconds, rateOf, parseWholeNumber } from './amounts.ts';
import { type ParsedOptions, parseOptions, type Problem } from './parseOptions.ts';
import { type Tool, TOOLS } from './tools.ts';
import { ENDLESS_NOTE, EXAMPLE_COMMAND, describeTruncated } from '../notes.ts';

const VEGETA_EXAMPLE = 'Paste its targets with it. Example: echo "GET http://localhost:8080/" | vegeta attack -rate=50 -duration=30s';

/**
 * Reads connections, their HTTP/2 streams, requests per second (null: without a limit), the maximum pause between requests and the end of a
 * command.
 */
function readEnd(draft: Draft, name: ToolName, tool: Tool, parsed: ParsedOptions, problems: Problem[]) {
  const last = (field: Field, read: (text: string) => number | null): number | null => {
    const given = parsed.last(field);
    const value = given === undefined ? null : read(given.value);
    if (given !== undefined && (value === null || (value === 0 && field !== 'pause')))
      problems.push({
        option: `${given.option} ${given.value.slice(0, 20)}`,
        message: 'This number or time is invalid or 0.',
        hint: 'Enter a number. For a time, add s, m or h.',
      });
    return value;
  };
  const clients = last('connections', parseWholeNumber) ?? tool.connections;
  const streams = last('streams', parseWholeNumber) ?? 1;
  const connections = clients * streams;
  const rounds = last('rounds', parseWholeNumber);
  const requests = last('requests', parseWholeNumber) ?? (rounds === null ? null : rounds * connections);
  const seconds = last('duration', durationSeconds);
  const pauseSeconds = last('pause', durationSeconds) ?? 0;
  const rate = last('rate', rateOf) ?? tool.perSecond ?? null;
  const each = last('ratePerConnection', rateOf);
  const isTime = tool.endsByRequests !== true;
  if (name === 'ab' && seconds !== null) {
    const what = 'ab ends after this time, or after 50,000 requests or those of a later -n.';
    draft.noteChanged('-t', what, 'The load continues for the whole time.');
  } else if (requests !== null && seconds !== null) {
    const instead = `As in ${name}, the ${isTime ? 'time' : 'number'} is used.`;
    draft.noteLeftOut(isTime ? '-n' : '-d', 'It sets both a number of requests and a time.', instead);
  }
  const perSecond = each === null ? rate : each * clients;
  if (tool.isEndless === true && requests === null && seconds === null) draft.noteAssumed(name, ...ENDLESS_NOTE);
  if (perSecond !== null && tool.perSecond === undefined) {
    const instead = 'The plan has arrivals at that rate, with at most as many in flight as connections.';
    draft.noteChanged('rate', 'Connections that wait for responses send requests at a rate.', instead);
  }
  const isCounted = requests !== null && (seconds === null || !isTime);
  const end: Tool['end'] = isCounted ? { requests } : seconds === null ? tool.end : { seconds };
  return { connections, perSecond, end, streams, pauseSeconds };
}

/**
 * Returns the load of a command. A rate becomes arrivals, because they also start requests at a rate. The connections become the maximum
 * number of requests in flight. A number of requests divided by the rate is the duration.
 */
function buildLoad(draft: Draft, { connections, perSecond, end, pauseSeconds }: ReturnType<typeof readEnd>): WrittenLoad {
  const name = 'load';
  if (pauseSeconds > 0 && 'seconds' in end)
    return {
      model: 'users',
      thinkTime: { kind: 'uniform', fromSeconds: 0, toSeconds: pauseSeconds },
      stages: [{ name, users: connections, seconds: end.seconds }],
    };
  const instead = 'A plan that ends by a number of requests has no pauses. For pauses, use a time (-t).';
  if (pauseSeconds > 0) draft.noteLeftOut('-d', 'Users pause between their requests.', instead);
  if (perSecond === null) return { model: 'connections', stages: [{ name, connections, ...end }] };
  const stage =
    'seconds' in end
      ? { kind: 'constant' as const, name, perSecond, seconds: end.seconds }
      : { kind: 'count' as const, name, arrivals: end.requests, seconds: end.requests / perSecond };
  return { model: 'arrivals', maxInFlight: Math.min(connections, MAX_USERS), stages: [stage] };
}

export type ReadCommand = ReturnType<typeof readCommand>;

/** Reads a command. `proposed` is the load for a command that states none; by default, it is the tool's default load. */
export function readCommand(
  draft: Draft,
  command: ToolCommand,
  problems: Problem[],
  proposed?: { readonly connections: number; readonly seconds: number },
) {
  const tool = TOOLS[command.tool];
  const isProposed = tool.sendsOnce === true;
  const parsed = parseOptions(draft, command.words, tool, problems);
  const addressOptions = parsed.all('address');
  const isCurl = command.tool === 'curl';
  // Each address is requested with all headers, so the number of addresses is limited. Load tools accept one address.
  const addresses = addressOptions.slice(0, isProposed ? MAX_STEPS : 1);
  if (isProposed && addressOptions.length > MAX_STEPS)
    draft.noteLeftOut(command.tool, `It has ${addressOptions.length} addresses.`, describeTruncated(MAX_STEPS));
  const file = parsed.last('addressFile');
  if (file !== undefined && addressOptions.length > 0) draft.noteLeftOut(file.option, ...ADDRESS_FILE_NOTE);
  addProblems(command, parsed, problems);
  const uploads = isCurl ? uploadsByAddress(parsed, addresses.length) : [];
  const carried = new Map<ParsedOptions, CommandHeadersAndBody>();
  const carryOver = (own: ParsedOptions): CommandHeadersAndBody => {
    const known = carried.get(own) ?? readHeadersAndBody(draft, command, own);
    carried.set(own, known);
    return known;
  };
  const requests = addresses.flatMap(({ value }, index) => {
    const expanded = isCurl && !parsed.has('globOff') ? expandAddresses(draft, value) : [value];
    return (uploads[index] ?? [parsed]).flatMap((own) =>
      expanded.flatMap((address) => buildRequest(draft, command, tool, own, carryOver(own), address, problems)),
    );
  });
  const end = readEnd(draft, command.tool, tool, parsed, problems);
  const amount =
    proposed === undefined ? end : { ...end, connections: proposed.connections, perSecond: null, end: { seconds: proposed.seconds } };
  return {
    requests,
    load: buildLoad(draft, amount),
    settings: { ...readSettings(draft, command, tool, parsed, requests, problems), streams: amount.streams },
    connections: amount.connections,
    isProposed,
    isParallel: parsed.has('parallel'),
  };
}

/** Adds problems that explain why no request can be read from a command. */
function addProblems({ tool }: ToolCommand, parsed: ParsedOptions, problems: Problem[]): void {
  const [address, second] = parsed.all('address');
  const add = (option: string, message: string, hint: string): void => void problems.push({ option, message, hint });
  if (parsed.has('help')) add(tool, 'This command only prints help or a version.', 'Paste one with an address.');
  const file = parsed.has('addressIsFile') ? address?.value : parsed.value('addressFile');
  if (file !== undefined && (address === undefined || parsed.has('addressIsFile')))
    add(
      tool,
      `It takes its addresses from the file ${file.slice(0, 60)}.`,
      `Import that list, and set the load in the plan: holdfast import urls ${file.slice(0, 60)}`,
    );
  else if (address === undefined) add(tool, 'The command has no address.', tool === 'vegeta' ? VEGETA_EXAMPLE : EXAMPLE_COMMAND);
  if (second !== undefined && TOOLS[tool].sendsOnce !== true)
    add(displayAddress(second.value), 'The command has more than one address.', 'Paste one command for each.');
  const hasParts = parsed.bodies.some(({ field }) => field.startsWith('part'));
  const hasData = parsed.bodies.some(({ field }) => !field.startsWith('part'));
  const uploads = parsed.fields.has('putFile');
  // Data appended to the address is not a body, but curl refuses such data together with a body.
  const isInAddress = parsed.has('dataInQuery') && !hasParts && !uploads;
  const dataOptions = Object.entries({ '-d': hasData && !isInAddress, '-F': hasParts, '-T': uploads, '-I': parsed.has('head') });
  const used = dataOptions.flatMap(([way, isUsed]) => (isUsed ? [way] : []));
  if (tool === 'curl' && used.length > 1) add(used.join(' '), 'curl takes only one of these.', 'Keep the one that sets what to send.');
}

/** Expands `{a,b}` and `[1-3]` to at most as many addresses as a journey has steps. */
function expandAddresses(draft: Draft, text: string): string[] {
  const addresses = expandGlobs(text);
  const displayedAddress = displayAddress(replaceMarksByNames(text));
  if (addresses === null) {
    draft.noteChanged(displayedAddress, 'curl refuses the brackets of this address without -g.', 'The plan requests it as it is written.');
    return [text];
  }
  if (addresses[0] !== text) {
    const what = addresses.length === 1 ? 'another address' : `${addresses.length} addresses`;
    draft.noteChanged(displayedAddress, `curl expands its brackets to ${what}.`, 'So does the plan. To use them unchanged, add -g.');
  }
  if (addresses.length > MAX_STEPS)
    draft.noteLeftOut(displayedAddress, `It expands to ${addresses.length} addresses or more.`, describeTruncated(MAX_STEPS));
  return addresses.slice(0, MAX_STEPS);
}
