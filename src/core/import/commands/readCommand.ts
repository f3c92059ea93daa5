import { MOST_STEPS } from '#core/plan/schema/plan.ts';
import { toldAddress } from '../address.ts';
import type { Draft, WrittenLoad } from '../draft.ts';
import type { ToolCommand } from '../shells/shellCommands.ts';
import { withNames } from '../shells/shellText.ts';
import { loadOf, readEnd } from './commandLoad.ts';
import { carriedOf, requestOf, type Carried, type CommandRequest } from './commandRequest.ts';
import { settingsOf, type CommandSettings } from './commandSettings.ts';
import { globbed, uploadsByAddress } from './curlAddresses.ts';
import { parseOptions, type Parsed, type Problem } from './parseOptions.ts';
import { TOOLS } from './tools.ts';

/** What one command comes to. */
export interface ReadCommand {
  readonly requests: readonly CommandRequest[];
  readonly load: WrittenLoad;
  readonly settings: CommandSettings;
  readonly connections: number;
  /** The command says no load. */
  readonly isProposed: boolean;
  /** Its requests are sent at the same time. */
  readonly isParallel: boolean;
}

/** Reads a command. `proposed`: the load of what says none; left out, the tool's own. */
export function readCommand(
  draft: Draft,
  command: ToolCommand,
  problems: Problem[],
  proposed?: { readonly connections: number; readonly seconds: number },
): ReadCommand {
  const tool = TOOLS[command.tool];
  const parsed = parseOptions(draft, command.words, tool);
  const given = parsed.fields.get('address') ?? [];
  const isCurl = command.tool === 'curl';
  // Each is asked for with all headers: of more, nothing would be left in a plan. Other tools take one.
  const addresses = given.slice(0, isCurl ? MOST_STEPS : 1);
  if (isCurl && given.length > MOST_STEPS)
    draft.leftOut(command.tool, `It has ${given.length} addresses.`, `The first ${MOST_STEPS} were taken.`);
  problems.push(...parsed.problems, ...problemsOf(command, parsed));
  const uploads = isCurl ? uploadsByAddress(parsed, addresses.length) : [];
  const carried = new Map<Parsed, Carried>();
  const carriedBy = (own: Parsed): Carried => {
    const known = carried.get(own) ?? carriedOf(draft, command, own);
    carried.set(own, known);
    return known;
  };
  const requests = addresses.flatMap(({ value }, index) => {
    const own = uploads[index] ?? parsed;
    const asked = isCurl && !parsed.switches.has('globOff') ? everyAddress(draft, value) : [value];
    return asked.flatMap((address) => requestOf(draft, command, tool, own, carriedBy(own), address, problems));
  });
  const end = readEnd(draft, command.tool, tool, parsed, problems);
  const amount = proposed === undefined ? end : { connections: proposed.connections, perSecond: null, end: { seconds: proposed.seconds } };
  return {
    requests,
    load: loadOf(amount),
    settings: settingsOf(draft, command, tool, parsed, requests, problems),
    connections: amount.connections,
    isProposed: isCurl,
    isParallel: parsed.switches.has('parallel'),
  };
}

function problemsOf({ tool }: ToolCommand, { fields, switches, bodies }: Parsed): Problem[] {
  const problems: Problem[] = [];
  const addresses = fields.get('address') ?? [];
  if (switches.has('help'))
    problems.push({
      option: tool,
      message: 'This command only prints what the program can do, or its version.',
      hint: 'Paste one with an address.',
    });
  if (addresses.length === 0)
    problems.push({ option: tool, message: 'The command has no address.', hint: 'An example: ab -n 1000 -c 10 http://localhost:8080/' });
  if (addresses.length > 1 && tool !== 'curl')
    problems.push({
      option: toldAddress(addresses[1]?.value ?? ''),
      message: 'The command has more than one address.',
      hint: 'Paste one command for each.',
    });
  const isData = ({ field }: Parsed['bodies'][number]): boolean => field !== 'part' && field !== 'partText';
  const hasParts = bodies.some((body) => !isData(body));
  // Data of an address are no body, but curl refuses them beside one.
  const isInAddress = switches.has('dataInQuery') && !hasParts && !fields.has('putFile');
  const ways = [
    !isInAddress && bodies.some(isData) ? '-d' : null,
    hasParts ? '-F' : null,
    fields.has('putFile') ? '-T' : null,
    switches.has('head') ? '-I' : null,
  ].filter((way) => way !== null);
  if (tool === 'curl' && ways.length > 1)
    problems.push({
      option: ways.join(' '),
      message: 'curl takes only one of these.',
      hint: 'Keep the one that says what is to be sent.',
    });
  return problems;
}

/** The addresses of `{a,b}` and `[1-3]`, as many as a journey has steps. */
function everyAddress(draft: Draft, text: string): string[] {
  const addresses = globbed(text);
  const told = toldAddress(withNames(text));
  if (addresses === null) {
    draft.changed(told, 'curl refuses the brackets of this address where there is no -g.', 'It is asked for as it is written.');
    return [text];
  }
  if (addresses[0] !== text)
    draft.changed(
      told,
      `curl makes ${addresses.length === 1 ? 'another address' : `${addresses.length} addresses`} of its brackets.`,
      'So does the plan; -g takes them as they are.',
    );
  if (addresses.length > MOST_STEPS)
    draft.leftOut(told, `It stands for ${addresses.length} addresses or more.`, `The first ${MOST_STEPS} were taken.`);
  return addresses.slice(0, MOST_STEPS);
}
