import { hasPlaceholders } from '#core/journey/template.ts';
import { basicLogin, readAddress } from '../address.ts';
import { Draft, methodOf, type WrittenLoad, type WrittenStep } from '../draft.ts';
import { refuse, type ImportResult } from '../imported.ts';
import { literal } from '../literal.ts';
import { proposedUsers } from '../proposedLoad.ts';
import { headersFrom, payloadFields, type Payload } from '../requestParts.ts';
import { secretFreePath } from '../secretFreePath.ts';
import { fillMarks, marksIn } from '../shells/shellText.ts';
import type { ToolCommand, ToolCommands } from '../shells/shellCommands.ts';
import { loadOf, readEnd } from './commandLoad.ts';
import { payloadOf } from './commandBody.ts';
import { parseOptions, type Parsed } from './parseOptions.ts';
import { durationSeconds, wholeNumber } from './readValues.ts';
import { TOOLS, type Tool } from './tools.ts';

type Problem = Parsed['problems'][number];

/** A request of a command, with its address. */
interface Request {
  readonly origin: string;
  /** As it is sent, without a placeholder; null when the path of the step has to say it. */
  readonly url: string | null;
  readonly step: WrittenStep;
  /** The Cookie header as a text of the plan; null without. */
  readonly cookie: string | null;
}

interface Read {
  readonly requests: readonly Request[];
  readonly load: WrittenLoad;
  readonly settings: Settings;
}

interface Settings {
  readonly tls?: { readonly verify: boolean };
  readonly timeoutSeconds?: number;
  readonly connections?: { reuse?: 'never'; connectSeconds?: number; socketPath?: string; localAddresses?: string[] };
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
    const cookies =
      cookie === null ? {} : { Cookie: hasPlaceholders(cookie) ? cookie : draft.secret('Cookie', cookie.replaceAll('\\{{', '{{'), place) };
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
    draft.variable(name, { kind: 'secret', secret: `env:${name}` });
    draft.changed(`$${name}`, 'It is a variable of the shell.', `The plan takes it from the environment variable ${name} when it runs.`);
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
      option: (extra?.value ?? '').slice(0, 60),
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

function requestOf(
  draft: Draft,
  command: ToolCommand,
  tool: Tool,
  parsed: Parsed,
  payload: Payload,
  text: string,
  problems: Problem[],
): Request[] {
  const { fields } = parsed;
  const queried = withQuery(text, parsed);
  const address = readAddress(queried);
  if (address === null) {
    const mark = marksIn(text)[0];
    problems.push(
      mark === undefined
        ? {
            option: text.slice(0, 60),
            message: 'This is no address of http or https.',
            hint: 'It may be the value of an option that is not known here, or more than 2,048 letters long.',
          }
        : { option: `$${mark}`, message: 'The server stands in a variable of the shell.', hint: 'Write its address out.' },
    );
    return [];
  }
  const written = fields.get('method')?.at(-1);
  const method = written === undefined ? usualMethod(parsed, payload) : methodOf(written.value);
  if (method === null) {
    problems.push({
      option: `${written?.option ?? ''} ${(written?.value ?? '').slice(0, 20)}`,
      message: 'Plans do not know this method.',
      hint: 'They know GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS.',
    });
    return [];
  }
  const { pairs, cookie } = headersOf(draft, command, tool, parsed, payload, address.login);
  const path = fillMarks(secretFreePath(draft, address.path, 'address'));
  const headers = headersFrom(draft, pairs, 'header');
  const follows = mostRedirects(tool, parsed, problems);
  const expected = fields.get('expectBody')?.at(-1)?.value ?? '';
  if (expected !== '') draft.changed('-E', 'The body has to be exactly this text.', 'It has to contain it.');
  const { headers: more = {}, ...body } = payloadFields(draft, payload, 'body');
  const step: WrittenStep = {
    name: 'page',
    ...(method === 'GET' ? {} : { method }),
    path,
    headers: { ...headers, ...more },
    ...body,
    ...(expected === '' ? {} : { checks: [{ kind: 'contains' as const, text: fillMarks(literal(expected.slice(0, 10_000))) }] }),
    ...(follows === 0 ? {} : { redirects: { follow: true as const, most: follows, mayEndAtLogin: true } }),
  };
  const isPlain = path === address.path && !path.includes('{{');
  return [
    {
      origin: address.origin,
      url: isPlain ? `${address.origin}${path}` : null,
      step,
      cookie: cookie === null ? null : fillMarks(literal(cookie)),
    },
  ];
}

/** curl's -G puts its data behind the address, --url-query always does. */
function withQuery(text: string, { fields, switches, bodies }: Parsed): string {
  const data = switches.has('dataInQuery')
    ? bodies.flatMap(({ field, value }) =>
        /^(data|dataRaw|dataBinary)$/.test(field) ? [value] : field === 'dataEncoded' ? [encoded(value)] : [],
      )
    : [];
  const query = [...data, ...(fields.get('queryEncoded') ?? []).map(({ value }) => encoded(value))].join('&');
  if (query === '') return text;
  const [bare = ''] = text.split('#', 1);
  return `${bare}${bare.includes('?') ? '&' : '?'}${query}`;
}

/** `name=value` as `--data-urlencode` sends it: only the value is encoded. */
function encoded(text: string): string {
  const equals = text.indexOf('=');
  const value = encodeURIComponent(text.slice(equals + 1).toWellFormed());
  return equals > 0 ? `${text.slice(0, equals)}=${value}` : value;
}

function usualMethod({ fields, switches, bodies }: Parsed, payload: Payload): 'GET' | 'HEAD' | 'POST' | 'PUT' {
  if (switches.has('head')) return 'HEAD';
  if (fields.has('putFile')) return 'PUT';
  if (fields.has('postFile')) return 'POST';
  return bodies.length > 0 && payload.kind !== 'none' ? 'POST' : 'GET';
}

function headersOf(
  draft: Draft,
  { tool: name }: ToolCommand,
  tool: Tool,
  { fields, switches }: Parsed,
  payload: Payload,
  login: string | null,
) {
  const pairs: (readonly [string, string])[] = [];
  for (const { option, value } of fields.get('header') ?? []) {
    const at = value.search(name === 'autocannon' ? /[:=]/ : /[:;]/);
    const header = value.slice(0, at).trim();
    const text = value.slice(at + 1).trim();
    if (at <= 0) draft.leftOut(option, 'A header has no name, or stands in a file.');
    else if (text === '') draft.leftOut(option, `The header ${header.slice(0, 60)} has no value: curl would take it away.`);
    else if (/^connection$/i.test(header) && /close/i.test(text)) continue;
    else pairs.push([header, text]);
  }
  for (const [field, header] of NAMED_HEADERS) {
    const value = fields
      .get(field)
      ?.at(-1)
      ?.value.replace(/;auto$/, '');
    if (value !== undefined && value !== '') pairs.push([header, value]);
  }
  const range = fields.get('range')?.at(-1)?.value;
  if (range !== undefined) pairs.push(['Range', `bytes=${range}`]);
  const given = fields.get('login')?.at(-1);
  if (given !== undefined && !given.value.includes(':'))
    draft.leftOut(
      given.option,
      'A login has a name and no password: the program would ask for it.',
      'No login is sent. Write name:password, or a header.',
    );
  const user = given !== undefined && given.value.includes(':') ? given.value : login;
  const bearer = fields.get('bearer')?.at(-1)?.value;
  if (user !== null) pairs.push(['Authorization', basicLogin(user)]);
  else if (bearer !== undefined) pairs.push(['Authorization', `Bearer ${bearer}`]);
  const has = (header: string): boolean => pairs.some(([written]) => written.toLowerCase() === header);
  if (switches.has('compressed') && !has('accept-encoding')) pairs.push(['Accept-Encoding', 'gzip, deflate, br']);
  const type =
    fields.get('contentType')?.at(-1)?.value ?? (payload.kind === 'text' ? payload.type : payload.kind === 'file' ? tool.bodyType : '');
  if (type !== '' && !has('content-type') && payload.kind !== 'form' && payload.kind !== 'multipart') pairs.push(['Content-Type', type]);
  const options = fields.get('cookie') ?? [];
  const kept = name === 'ab' ? options.slice(-1) : options;
  if (kept.length < options.length) draft.leftOut('-C', 'Of several cookies, ab sends the last one only.', 'So does the plan.');
  for (const { option, value } of kept) {
    if (!value.includes('='))
      draft.leftOut(option, 'Cookies stand in a file.', 'The file is not read: log in on the page Target, or give the cookie itself.');
  }
  const cookies = [
    ...kept.flatMap(({ value }) => (value.includes('=') ? [value] : [])),
    ...pairs.filter(([written]) => written.toLowerCase() === 'cookie').map(([, value]) => value),
  ];
  const boundary = payload.kind === 'form' || payload.kind === 'multipart';
  const others = pairs.filter(([written]) => !/^cookie$/i.test(written) && !(boundary && /^content-type$/i.test(written)));
  return {
    pairs: others.map(([written, value]) => [written, fillMarks(literal(value))] as const),
    cookie: cookies.length > 0 ? cookies.join('; ') : null,
  };
}

const NAMED_HEADERS = [
  ['accept', 'Accept'],
  ['userAgent', 'User-Agent'],
  ['referer', 'Referer'],
  ['host', 'Host'],
] as const;

function mostRedirects(tool: Tool, { fields, switches }: Parsed, problems: Problem[]): number {
  if (switches.has('noFollow')) return 0;
  const given = fields.get('mostRedirects')?.at(-1);
  const isAsked = switches.has('follow');
  if (tool.follows === 0 && !isAsked) return 0;
  if (given === undefined) return tool.follows === 0 ? 50 : tool.follows;
  const most = given.value === '-1' ? 50 : wholeNumber(given.value);
  if (most === null) problems.push({ option: given.option, message: 'This is no number of redirects.', hint: 'Write a whole number.' });
  return Math.min(50, most ?? 0);
}

function settingsOf(
  draft: Draft,
  command: ToolCommand,
  tool: Tool,
  { fields, switches }: Parsed,
  requests: readonly Request[],
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
