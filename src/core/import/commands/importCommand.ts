import { hasPlaceholders } from '#core/journey/template.ts';
import { toldAddress } from '../address.ts';
import { askedFor, Draft, type WrittenLoad } from '../draft.ts';
import { refuse, type ImportResult } from '../imported.ts';
import { unliteral } from '../literal.ts';
import { proposedUsers } from '../proposedLoad.ts';
import { marksIn } from '../shells/shellText.ts';
import type { ToolCommand, ToolCommands } from '../shells/shellCommands.ts';
import { payloadOf } from './commandBody.ts';
import { loadOf, readEnd } from './commandLoad.ts';
import { requestOf, type CommandRequest } from './commandRequest.ts';
import { settingsOf, type Settings } from './commandSettings.ts';
import { parseOptions, type Problem } from './parseOptions.ts';
import { TOOLS } from './tools.ts';

interface Read {
  readonly requests: readonly CommandRequest[];
  readonly load: WrittenLoad;
  readonly settings: Settings;
}

/** Makes a plan of the commands of a text: of one that makes a load, or of all that ask for a page by curl. */
export function importCommands({ commands, others, unfilled }: ToolCommands): ImportResult {
  const [first] = commands;
  if (first === undefined)
    return refuse('NO_COMMAND', '', 'There is no command in it that is known here.', 'An example: ab -n 1000 -c 10 http://localhost:8080/');
  const rated = first.tool === 'wrk' && first.words.some((word) => /^(-R|--rate)/.test(word));
  const kind = rated ? 'wrk2' : first.tool;
  const draft = new Draft(kind);
  for (const { what, why } of unfilled) draft.leftOut(what.slice(0, 60), `It is ${why}.`, 'Nothing was put in its place.');
  for (const other of others) draft.leftOut(other, 'This is another program.', 'It is not run here, and was left out.');
  if (first.before.length > 0)
    draft.leftOut(first.before[0]?.slice(0, 60) ?? '', `It stands before ${first.tool}.`, 'Holdfast makes the load itself.');
  const taken = first.tool === 'curl' ? commands.filter(({ tool }) => tool === 'curl') : [first];
  if (taken.length < commands.length)
    draft.leftOut('further commands', 'A plan is made of one command that makes a load.', 'Import the others by themselves.');
  const problems: Problem[] = [];
  const read = taken.map((command) => readOne(draft, command, problems));
  if (problems.length > 0) {
    const issues = problems.map(({ option, message, hint }) => ({
      level: 'error' as const,
      code: 'COMMAND_UNREADABLE',
      path: option,
      message,
      hint,
    }));
    return { kind: 'refused', issues, notes: draft.notes };
  }
  return planFrom(draft, read);
}

/** An address alone says nothing of a load; one is proposed. */
export function importAddress(text: string): ImportResult {
  const draft = new Draft('address');
  const problems: Problem[] = [];
  const read = readOne(draft, { tool: 'curl', words: ['--url', text], before: [] }, problems, { connections: 10, seconds: 30 });
  if (problems.length > 0) return refuse('NO_ADDRESS', '', 'This is no address of http or https.', 'An example: http://localhost:8080/');
  return planFrom(draft, [read]);
}

function planFrom(draft: Draft, read: readonly Read[]): ImportResult {
  const requests = read.flatMap((one) => one.requests);
  const [first] = requests;
  const settings = read.reduce<Settings>((all, one) => ({ ...all, ...one.settings }), {});
  if (first === undefined || read[0] === undefined) return draft.finish({ name: 'Imported', targets: [], load: proposedUsers() });
  const { host } = new URL(first.origin);
  const name = draft.kind === 'address' ? `Load on ${host}` : `${draft.kind} of ${host}`;
  if (requests.length === 1) {
    const { headers = {}, ...step } = first.step;
    // Only steps are filled in with values.
    const isFilled = (value: unknown): boolean => typeof value === 'string' && value.includes('{{');
    const filled = Object.entries(headers).filter(([, value]) => isFilled(value));
    const constant = Object.entries(headers).filter(([, value]) => !isFilled(value));
    const cookie = first.cookie === null || isFilled(first.cookie) ? null : first.cookie;
    if (first.cookie !== null && cookie === null) filled.push(['Cookie', first.cookie]);
    const own = filled.length === 0 ? {} : { headers: Object.fromEntries(filled) };
    draft.addStep({ ...step, ...own, ...(first.url === null ? {} : { path: '' }) }, 'command');
    const target = {
      url: first.url ?? `${first.origin}/`,
      ...(constant.length === 0 ? {} : { headers: Object.fromEntries(constant) }),
      ...(cookie === null ? {} : { cookie: draft.secret('Cookie', cookie, 'cookie') }),
    };
    return draft.finish({ name, targets: [target], load: read[0].load, settings });
  }
  for (const [index, { origin, step, cookie }] of requests.entries()) {
    const place = `request ${index + 1}`;
    if (origin !== first.origin) {
      draft.leftOut(
        place,
        `It goes to another server, ${new URL(origin).host}.`,
        'A plan of several steps has one server: it was left out.',
      );
      continue;
    }
    const cookies = cookie === null ? {} : { Cookie: hasPlaceholders(cookie) ? cookie : draft.secret('Cookie', unliteral(cookie), place) };
    draft.addStep(
      {
        ...step,
        name: `${step.method ?? 'GET'} ${new URL(`${origin}${step.path ?? ''}`).pathname}`,
        headers: { ...step.headers, ...cookies },
      },
      place,
    );
  }
  draft.assumed('load', 'Commands of curl say no load.', 'Ten users are proposed, who walk through all requests for a minute.');
  return draft.finish({ name, targets: [{ url: `${first.origin}/` }], load: proposedUsers(), settings });
}

function readOne(draft: Draft, command: ToolCommand, problems: Problem[], proposed?: { connections: number; seconds: number }): Read {
  const tool = TOOLS[command.tool];
  for (const name of command.words.flatMap(marksIn)) {
    draft.variable(name, draft.asked(name));
    draft.changed(`$${name}`, 'It is a variable of the shell.', askedFor(name));
  }
  const parsed = parseOptions(draft, command.words, tool);
  problems.push(...parsed.problems);
  if (parsed.switches.has('help'))
    problems.push({
      option: command.tool,
      message: 'This command only prints what the program can do, or its version.',
      hint: 'Paste one with an address.',
    });
  const payload = payloadOf(draft, command.tool, parsed);
  const addresses = parsed.fields.get('address') ?? [];
  const requests = addresses.flatMap(({ value }) => requestOf(draft, command, tool, parsed, payload, value, problems));
  if (addresses.length === 0)
    problems.push({
      option: command.tool,
      message: 'The command has no address.',
      hint: 'An example: ab -n 1000 -c 10 http://localhost:8080/',
    });
  if (addresses.length > 1 && command.tool !== 'curl') {
    const [extra] = addresses.slice(1);
    problems.push({
      option: toldAddress(extra?.value ?? ''),
      message: 'The command has more than one address.',
      hint: 'Paste one command for each.',
    });
  }
  const end = readEnd(draft, command.tool, tool, parsed, problems);
  const isProposed = command.tool === 'curl';
  if (isProposed && addresses.length <= 1) {
    const connections = proposed?.connections ?? tool.connections;
    draft.assumed(
      'load',
      draft.kind === 'address' ? 'An address says no load.' : 'curl sends one request and says no load.',
      `${connections === 1 ? '1 connection is' : `${connections} connections are`} proposed, for 30 seconds.`,
    );
  }
  return {
    requests,
    load: loadOf(proposed === undefined ? end : { connections: proposed.connections, perSecond: null, end: { seconds: proposed.seconds } }),
    settings: settingsOf(draft, command, tool, parsed, requests, problems),
  };
}
