import { displayAddress, percentDecoded, readAddress, secretFreePath } from '../address.ts';
import { type Draft, methodOf, type WrittenStep } from '../draft.ts';
import { escapePlaceholders, unescapePlaceholders } from '../placeholders.ts';
import { authFields, readHeaders, type Pair, payloadFields, splitLogin } from '../requestParts.ts';
import type { ToolCommand } from '../shells/shellCommands.ts';
import { fillMarks, findMarks, replaceMarksByNames } from '../shells/shellText.ts';
import { bodyOf, type CommandBody, readEncodedPiece, joinData, PART_LEFT_OUT_NOTE } from './commandBody.ts';
import { appendData, appendUploadName } from './curlAddresses.ts';
import { parseWholeNumber } from './amounts.ts';
import { type GivenOption, NO_ADDRESS_MESSAGE, type ParsedOptions, type Problem } from './parseOptions.ts';
import { type Tool, TOOLS } from './tools.ts';
import { noteWholeBody } from '../notes.ts';
import { ENTER_WHOLE_NUMBER } from '#core/base/units.ts';
import type { Field } from './meaning.ts';

interface CommandLogin {
  readonly user: string;
  readonly password: string;
  /** Where the command contains the login: an option, a header or the address. */
  readonly location: string;
}

/** Headers and body that all requests of a command share. Computed once, because a command may have many addresses. */
export interface CommandHeadersAndBody {
  /** The Cookie header as a text of the plan; null if there is none. */
  readonly cookie: string | null;
  /** Name and password of HTTP Basic with their shell variables marked; null if there is none. */
  readonly login: CommandLogin | null;
  /** Whether a login in an address is sent. */
  readonly sendsLogin: boolean;
  readonly fields: Partial<WrittenStep>;
}

export function readHeadersAndBody(draft: Draft, command: ToolCommand, parsed: ParsedOptions): CommandHeadersAndBody {
  const body = bodyOf(draft, command, parsed);
  const { pairs: given, cookie, sendsLogin, login: ofOption } = headersOf(draft, command, parsed, body);
  const { login: ofHeader, pairs } = splitLogin(given);
  const headers = readHeaders(draft, pairs, 'header');
  const { headers: more, ...sent } = payloadFields(draft, body.payload, 'body');
  const login =
    ofHeader === null
      ? ofOption
      : { user: unescapePlaceholders(ofHeader.user), password: unescapePlaceholders(ofHeader.password), location: 'header' };
  return { cookie, login, sendsLogin, fields: { headers: { ...headers, ...more }, ...sent } };
}

export interface CommandRequest {
  readonly login: CommandLogin | null;
  readonly origin: string;
  /** The address without placeholders; null if the path of the step contains placeholders. */
  readonly url: string | null;
  readonly step: WrittenStep;
  /** The Cookie header as a text of the plan; null if there is none. */
  readonly cookie: string | null;
}

/** Returns the request for one address of a command. On an error, adds a problem and returns nothing. */
export function buildRequest(
  draft: Draft,
  command: ToolCommand,
  tool: Tool,
  parsed: ParsedOptions,
  { cookie, login: carriedLogin, sendsLogin, fields: carried }: CommandHeadersAndBody,
  text: string,
  problems: Problem[],
): CommandRequest[] {
  const refuse = (option: string, message: string, hint: string): [] => {
    problems.push({ option, message, hint });
    return [];
  };
  const written = text.trim();
  const full = appendQuery(draft, command.tool === 'curl' ? appendUploadName(written, parsed) : written, parsed, command.input);
  const displayedAddress = displayAddress(replaceMarksByNames(text));
  if (/[\t\r\n]/.test(full)) {
    const hint = 'curl refuses it too. Write %0A for a line break, %09 for a tab.';
    return refuse(displayedAddress, 'The address, or what is appended to it, contains a line break or a tab.', hint);
  }
  // An encoded space at the end of the data is kept.
  const address = readAddress(full.replaceAll(' ', '%20'));
  const [mark] = findMarks(text);
  if (address === null && mark !== undefined)
    return refuse(`$${mark}`, 'The server is in a shell variable.', `Replace “${displayedAddress}” with the address itself.`);
  if (address === null)
    return refuse(displayedAddress, NO_ADDRESS_MESSAGE, 'It may be the value of an unknown option, or longer than 2,048 characters.');
  const named = parsed.last('method');
  const method = named === undefined ? defaultMethod(parsed) : methodOf(named.value);
  if (method === null) {
    const hint = 'They support GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS.';
    return refuse(
      `${named?.option ?? ''} ${replaceMarksByNames(named?.value ?? '').slice(0, 20)}`,
      'Plans do not support this method.',
      hint,
    );
  }
  if (named !== undefined && named.value !== method)
    draft.noteChanged(named.option, `The method is written ${named.value.slice(0, 20)}.`, `${method} is sent.`);
  noteChangedPath(draft, full, address.path);
  const path = fillMarks(secretFreePath(draft, address.path, 'address'));
  const login = sendsLogin && address.login !== null ? splitAtColon(address.login, 'address') : carriedLogin;
  const follows = maxRedirects(tool, parsed, problems);
  const expected = parsed.value('expectBody') ?? '';
  if (expected !== '') noteWholeBody(draft, '-E');
  const step: WrittenStep = {
    name: 'page',
    ...(method === 'GET' ? {} : { method }),
    path,
    ...carried,
    ...(expected === '' ? {} : { checks: [{ kind: 'contains' as const, text: fillMarks(escapePlaceholders(expected.slice(0, 10_000))) }] }),
    ...(follows === 0 ? {} : { redirects: { follow: true as const, most: follows, mayEndAtLogin: true } }),
  };
  const isPlain = path === address.path && !path.includes('{{');
  return [{ origin: address.origin, url: isPlain ? `${address.origin}${path}` : null, step, cookie, login }];
}

/**
 * Notes a path that is normalized as in browsers: `/a/../b` is shortened, a backslash becomes a slash, and other characters are encoded.
 */
function noteChangedPath(draft: Draft, address: string, path: string): void {
  const [bare = ''] = address.split('#', 1);
  if (/\s/.test(bare)) draft.noteChanged('address', 'The address contains a space, which curl refuses.', 'It is sent as %20.');
  const written = bare.replace(/^[a-z][a-z\d+.-]*:\/*/i, '').replace(/^[^/?]*/, '');
  const toComparableUrl = (one: string): string => percentDecoded(one.replace(/^(?=\?|$)/, '/'));
  if (toComparableUrl(written) === toComparableUrl(unescapePlaceholders(path))) return;
  const [shown = ''] = replaceMarksByNames(written).split('?', 1);
  draft.noteChanged('address', `The path is written ${shown.slice(0, 60)}.`, 'It is sent as browsers send it.');
}

/** Appends the data of -G to the address or, without -G, the data of --url-query, as curl does. */
function appendQuery(draft: Draft, text: string, parsed: ParsedOptions, input: ToolCommand['input']): string {
  const given = parsed.all('queryEncoded');
  if (parsed.has('dataInQuery')) {
    for (const { option } of parsed.bodies.length === 0 ? [] : given)
      draft.noteLeftOut(option, 'As with -G in curl, only its data is appended to the address.');
    const data = joinData(draft, parsed.bodies, input);
    if (data !== null && data.file !== null) draft.noteLeftOut('-G', 'Part of the address is in a file.');
    if (data !== null) return appendData(text, data.text);
  }
  const query = given.flatMap(({ option, value }) => {
    if (value.startsWith('+')) return [value.slice(1)];
    const piece = readEncodedPiece(value, input);
    if (piece.kind === 'text') return [piece.text];
    draft.noteLeftOut(option, 'Part of the address is in a file or on standard input.', PART_LEFT_OUT_NOTE);
    return [];
  });
  return query.length === 0 ? text : appendData(text, query.join('&'));
}

function defaultMethod(parsed: ParsedOptions): 'GET' | 'HEAD' | 'POST' | 'PUT' {
  if (parsed.has('head')) return 'HEAD';
  if (parsed.fields.has('putFile')) return 'PUT';
  if (parsed.fields.has('postFile')) return 'POST';
  // With -G, multipart fields are still a body.
  return parsed.bodies.some(({ field }) => field.startsWith('part') || !parsed.has('dataInQuery')) ? 'POST' : 'GET';
}

function maxRedirects(tool: Tool, parsed: ParsedOptions, problems: Problem[]): number {
  if (parsed.has('noFollow') || (tool.follows === undefined && !parsed.has('follow'))) return 0;
  const given = parsed.last('mostRedirects');
  if (given === undefined) return tool.follows ?? 50;
  const maxRedirects = given.value === '-1' ? 50 : parseWholeNumber(given.value);
  if (maxRedirects === null)
    problems.push({ option: given.option, message: 'This is not a number of redirects.', hint: ENTER_WHOLE_NUMBER });
  return Math.min(50, maxRedirects ?? 0);
}

const HEADER_OPTIONS: readonly (readonly [Field, string])[] = [
  ['accept', 'Accept'],
  ['userAgent', 'User-Agent'],
  ['referer', 'Referer'],
  ['host', 'Host'],
];

const OWN_HEADER_NOTE = 'Holdfast sends its own.';
const MULTIPART_NOTE = 'It is sent as multipart/form-data.';

/** Returns the headers of a command as texts of the plan, with the Cookie header separate. */
export function headersOf(draft: Draft, command: ToolCommand, parsed: ParsedOptions, body: CommandBody) {
  const { pairs: given, removed } = splitHeaders(draft, command, parsed.all('header'));
  const known = new Set([...given.map(([name]) => name.toLowerCase()), ...removed]);
  const pairs: Pair[] = [...given];
  // A header takes precedence over the same header set by an option.
  const add = (name: string, value: string): void => {
    if (!known.has(name.toLowerCase())) pairs.push([name, value]);
  };
  for (const [field, header] of HEADER_OPTIONS) {
    const one = parsed.last(field);
    const value = one?.value.replace(/;auto$/, '') ?? '';
    if (value !== '') add(header, value);
    else if (one?.value === '' && field === 'userAgent') draft.noteLeftOut(one.option, 'It asks for no User-Agent.', OWN_HEADER_NOTE);
  }
  const { kind } = body.payload;
  const range = parsed.last('range');
  if (range !== undefined && kind !== 'none')
    draft.noteLeftOut(range.option, 'It requests a range together with a body, for which curl sends another header.');
  else if (range !== undefined) add('Range', `bytes=${range.value}${range.value.includes('-') ? '' : '-'}`);
  const hasOwnLogin = given.some(([name]) => /^authorization$/i.test(name));
  const bearer = hasOwnLogin ? undefined : parsed.value('bearer');
  if (bearer !== undefined) add('Authorization', `Bearer ${bearer}`);
  const login = hasOwnLogin || bearer !== undefined ? null : readLogin(draft, parsed);
  if (parsed.has('compressed')) add('Accept-Encoding', 'gzip, deflate, br');
  if (parsed.fields.has('json')) add('Accept', command.tool === 'curl' ? 'application/json' : 'application/json, */*;q=0.5');
  const writesType = kind === 'form' || kind === 'multipart';
  if (body.type !== '' && kind !== 'none' && !writesType) add('Content-Type', body.type);
  if (kind === 'multipart' && removed.has('content-type'))
    draft.noteLeftOut('header', 'It removes the type of a multipart form.', MULTIPART_NOTE);
  if (kind === 'none') addTypeWithoutBody(draft, command, parsed, add);
  const cookies = cookiesOf(draft, command, parsed.all('cookie'), pairs);
  const others = pairs.filter(
    ([name, value]) => !/^cookie$/i.test(name) && !(/^content-type$/i.test(name) && isOwnType(draft, body, value)),
  );
  return {
    pairs: others.map(([name, value]) => [name, fillMarks(escapePlaceholders(value))] as const),
    cookie: cookies.length > 0 ? fillMarks(escapePlaceholders(cookies.join(command.tool === 'curl' ? ';' : '; '))) : null,
    login,
    /** Whether a login in an address is sent. */
    sendsLogin: bearer === undefined && login === null && !known.has('authorization'),
  };
}

/** Returns the headers in options, and the names of the removed ones. */
function splitHeaders(
  draft: Draft,
  { tool }: ToolCommand,
  givenOptions: readonly GivenOption[],
): { pairs: Pair[]; removed: ReadonlySet<string> } {
  const pairs: Pair[] = [];
  const removed = new Set<string>();
  for (const { option, value } of givenOptions) {
    const at = value.search(tool === 'autocannon' ? /[:=]/ : /:/);
    const name = value.slice(0, at).trim();
    const text = value.slice(at + 1).trim();
    // In curl, `X;` means a header with an empty value.
    const [, empty] = tool === 'curl' && at < 0 ? (/^\s*([^;@\s][^;]*);\s*$/.exec(value) ?? []) : [];
    if (at > 0 && name !== value.slice(0, at))
      draft.noteChanged(option, `The header name ${name.slice(0, 60)} has spaces around it.`, 'It is sent without them.');
    if (empty !== undefined) pairs.push([empty.trim(), '']);
    else if (at <= 0) draft.noteLeftOut(option, 'A header has no name or is in a file.');
    else if (text === '' && tool === 'curl') {
      removed.add(name.toLowerCase());
      if (/^(user-agent|host|accept)$/i.test(name))
        draft.noteLeftOut(option, `curl removes the header ${name}, which it otherwise sends.`, OWN_HEADER_NOTE);
    } else if (/^connection$/i.test(name) && /close/i.test(text)) continue;
    else pairs.push([name, text]);
  }
  return { pairs, removed };
}

/** Returns whether the payload already defines this Content-Type. Reports a type that a multipart form cannot have. */
function isOwnType(draft: Draft, { payload }: CommandBody, value: string): boolean {
  if (payload.kind === 'form') return /^application\/x-www-form-urlencoded$/i.test(value);
  if (payload.kind !== 'multipart') return false;
  if (!/^multipart\/form-data(;|$)/i.test(value))
    draft.noteLeftOut('header', `A multipart form has the type ${value.slice(0, 60)}.`, MULTIPART_NOTE);
  return true;
}

/**
 * Adds the Content-Type of requests without a body: hey always sends one, oha if it is set, curl after --json, also with -G. ab sends none.
 */
function addTypeWithoutBody(draft: Draft, { tool }: ToolCommand, parsed: ParsedOptions, add: (name: string, value: string) => void): void {
  const given = parsed.last('contentType');
  if (tool === 'ab' && given !== undefined) draft.noteLeftOut(given.option, 'ab sets a type only for a body, and there is none.');
  else if (tool === 'curl' && parsed.fields.has('json')) add('Content-Type', 'application/json');
  else if (tool === 'hey') add('Content-Type', given?.value ?? TOOLS.hey.bodyType ?? '');
  else if (given !== undefined) add('Content-Type', given.value);
}

/** Returns the login that options contain; null if there is none, or if it has no password. */
function readLogin(draft: Draft, parsed: ParsedOptions): CommandLogin | null {
  const [userName, password] = [parsed.last('userName'), parsed.last('password')];
  if (userName !== undefined && password !== undefined)
    return { user: userName.value, password: password.value, location: userName.option };
  const given = parsed.last('login', 'userName', 'password');
  if (given === undefined) return null;
  if (given.value.includes(':')) return splitAtColon(given.value, given.option);
  const what = 'The login has a name but no password. The program would ask for it.';
  draft.noteLeftOut(given.option, what, 'No login is sent. Enter name:password, or a header.');
  return null;
}

function splitAtColon(login: string, location: string): CommandLogin {
  const colon = login.indexOf(':');
  return { user: login.slice(0, colon), password: login.slice(colon + 1), location };
}

/** Returns the login as a field of a step. */
export function loginFields(draft: Draft, login: CommandLogin | null): Pick<WrittenStep, 'auth'> {
  if (login === null) return {};
  const [user = '', password = ''] = [login.user, login.password].map((text) => fillMarks(escapePlaceholders(text)));
  return authFields(draft, { user, password }, login.location);
}

/** Returns the login as a field of a target, whose texts are literal; null if it contains shell variables. */
export function targetLogin(draft: Draft, login: CommandLogin | null) {
  if (login === null || findMarks(`${login.user}${login.password}`).length > 0) return null;
  const { user, password, location } = login;
  return { user: user.slice(0, 1_000), password: password === '' ? '' : draft.secret('password', password, location) };
}

function cookiesOf(draft: Draft, { tool }: ToolCommand, givenOptions: readonly GivenOption[], pairs: readonly Pair[]): string[] {
  const kept = tool === 'ab' ? givenOptions.slice(-1) : givenOptions;
  if (kept.length < givenOptions.length) draft.noteLeftOut('-C', 'Of several cookies, ab sends only the last one.', 'So does the plan.');
  const instead = 'Holdfast does not read the file. Log in on the page Target, or enter the cookie itself.';
  for (const { option, value } of kept) if (!value.includes('=')) draft.noteLeftOut(option, 'Cookies are in a file.', instead);
  const written = pairs.filter(([name]) => /^cookie$/i.test(name)).map(([, value]) => value);
  const named = kept.flatMap(({ value }) => (value.includes('=') ? [value] : []));
  if (written.length > 0 && named.length > 0 && tool === 'curl')
    draft.noteLeftOut(kept[0]?.option ?? '', 'Both an option and a header set cookies.', 'As with curl, the header is used.');
  return tool === 'curl' && written.length > 0 ? written : [...named, ...written];
}
