import { basicLogin } from '../address.ts';
import type { Draft } from '../draft.ts';
import { literal } from '../placeholders.ts';
import type { Pair } from '../requestParts.ts';
import type { ToolCommand } from '../shells/shellCommands.ts';
import { fillMarks, marksIn, variableMark } from '../shells/shellText.ts';
import type { CommandBody } from './commandBody.ts';
import type { Field } from './meaning.ts';
import type { Given, Parsed } from './parseOptions.ts';
import { TOOLS } from './tools.ts';

const NAMED_HEADERS: readonly (readonly [Field, string])[] = [
  ['accept', 'Accept'],
  ['userAgent', 'User-Agent'],
  ['referer', 'Referer'],
  ['host', 'Host'],
];

const SENDS_ITS_OWN = 'Holdfast sends its own.';
const SENT_AS_PARTS = 'It is sent as multipart/form-data.';

/** Returns the headers of a command as texts of the plan, with the Cookie header separate. */
export function headersOf(draft: Draft, command: ToolCommand, parsed: Parsed, body: CommandBody) {
  const { pairs: given, removed } = writtenHeaders(draft, command, parsed.all('header'));
  const known = new Set([...given.map(([name]) => name.toLowerCase()), ...removed]);
  const pairs: Pair[] = [...given];
  // A header takes precedence over an option.
  const add = (name: string, value: string): void => {
    if (!known.has(name.toLowerCase())) pairs.push([name, value]);
  };
  for (const [field, header] of NAMED_HEADERS) {
    const one = parsed.last(field);
    const value = one?.value.replace(/;auto$/, '') ?? '';
    if (value !== '') add(header, value);
    else if (one?.value === '' && field === 'userAgent') draft.leftOut(one.option, 'It asks for no User-Agent.', SENDS_ITS_OWN);
  }
  const { kind } = body.payload;
  const range = parsed.last('range');
  if (range !== undefined && kind !== 'none')
    draft.leftOut(range.option, 'It requests a range together with a body, for which curl sends another header.');
  else if (range !== undefined) add('Range', `bytes=${range.value}${range.value.includes('-') ? '' : '-'}`);
  const hasOwnLogin = given.some(([name]) => /^authorization$/i.test(name));
  const authorization = hasOwnLogin ? null : authorizationOf(draft, parsed);
  if (authorization !== null) add('Authorization', authorization);
  if (parsed.has('compressed')) add('Accept-Encoding', 'gzip, deflate, br');
  if (parsed.fields.has('json')) add('Accept', command.tool === 'curl' ? 'application/json' : 'application/json, */*;q=0.5');
  const writesType = kind === 'form' || kind === 'multipart';
  if (body.type !== '' && kind !== 'none' && !writesType) add('Content-Type', body.type);
  if (kind === 'multipart' && removed.has('content-type'))
    draft.leftOut('header', 'It removes the type of a multipart form.', SENT_AS_PARTS);
  if (kind === 'none') addTypeOfNothing(draft, command, parsed, add);
  const cookies = cookiesOf(draft, command, parsed.all('cookie'), pairs);
  const others = pairs.filter(
    ([name, value]) => !/^cookie$/i.test(name) && !(/^content-type$/i.test(name) && isOwnType(draft, body, value)),
  );
  return {
    pairs: others.map(([name, value]) => [name, fillMarks(literal(value))] as const),
    cookie: cookies.length > 0 ? fillMarks(literal(cookies.join(command.tool === 'curl' ? ';' : '; '))) : null,
    /** Whether a login in an address is sent. */
    sendsLogin: authorization === null && !known.has('authorization'),
  };
}

/** Returns the headers in options, and the names of the removed ones. */
function writtenHeaders(draft: Draft, { tool }: ToolCommand, given: readonly Given[]): { pairs: Pair[]; removed: ReadonlySet<string> } {
  const pairs: Pair[] = [];
  const removed = new Set<string>();
  for (const { option, value } of given) {
    const at = value.search(tool === 'autocannon' ? /[:=]/ : /:/);
    const name = value.slice(0, at).trim();
    const text = value.slice(at + 1).trim();
    // In curl, `X;` means a header with an empty value.
    const [, empty] = tool === 'curl' && at < 0 ? (/^\s*([^;@\s][^;]*);\s*$/.exec(value) ?? []) : [];
    if (at > 0 && name !== value.slice(0, at))
      draft.changed(option, `The header name ${name.slice(0, 60)} has spaces around it.`, 'It is sent without them.');
    if (empty !== undefined) pairs.push([empty.trim(), '']);
    else if (at <= 0) draft.leftOut(option, 'A header has no name or is in a file.');
    else if (text === '' && tool === 'curl') {
      removed.add(name.toLowerCase());
      if (/^(user-agent|host|accept)$/i.test(name))
        draft.leftOut(option, `curl removes the header ${name}, which it otherwise sends.`, SENDS_ITS_OWN);
    } else if (/^connection$/i.test(name) && /close/i.test(text)) continue;
    else pairs.push([name, text]);
  }
  return { pairs, removed };
}

/** Whether the payload already defines this Content-Type. Reports a type that a multipart form cannot have. */
function isOwnType(draft: Draft, { payload }: CommandBody, value: string): boolean {
  if (payload.kind === 'form') return /^application\/x-www-form-urlencoded$/i.test(value);
  if (payload.kind !== 'multipart') return false;
  if (!/^multipart\/form-data(;|$)/i.test(value))
    draft.leftOut('header', `A multipart form has the type ${value.slice(0, 60)}.`, SENT_AS_PARTS);
  return true;
}

/** Adds the Content-Type of requests without a body: hey always sends one, oha if it is set, curl after --json, also with -G. ab sends none. */
function addTypeOfNothing(draft: Draft, { tool }: ToolCommand, parsed: Parsed, add: (name: string, value: string) => void): void {
  const given = parsed.last('contentType');
  if (tool === 'ab' && given !== undefined) draft.leftOut(given.option, 'ab sets a type only for a body, and there is none.');
  else if (tool === 'curl' && parsed.fields.has('json')) add('Content-Type', 'application/json');
  else if (tool === 'hey') add('Content-Type', given?.value ?? TOOLS.hey.bodyType);
  else if (given !== undefined) add('Content-Type', given.value);
}

/** Returns the Authorization header; null if no option contains a login. */
function authorizationOf(draft: Draft, parsed: Parsed): string | null {
  const bearer = parsed.value('bearer');
  if (bearer !== undefined) return `Bearer ${bearer}`;
  const [userName, password] = [parsed.last('userName'), parsed.last('password')];
  if (userName !== undefined && password !== undefined)
    return basicAuthorization(draft, `${userName.value}:${password.value}`, userName.option);
  const given = parsed.last('login', 'userName', 'password');
  if (given === undefined) return null;
  if (given.value.includes(':')) return basicAuthorization(draft, given.value, given.option);
  const what = 'The login has a name but no password. The program would ask for it.';
  draft.leftOut(given.option, what, 'No login is sent. Enter name:password, or a header.');
  return null;
}

/** Returns the Authorization header for `name:password`. `place`: the option or address that contains the login. */
export function basicAuthorization(draft: Draft, login: string, place: string): string {
  if (marksIn(login).length === 0) return basicLogin(login);
  const name = draft.variable('basic_login', draft.asked('basic_login'));
  draft.changed(
    place,
    'The user name or password is in a shell variable.',
    `Holdfast asks for ${name} when the plan runs. Enter name:password in Base64.`,
  );
  return `Basic ${variableMark(name)}`;
}

function cookiesOf(draft: Draft, { tool }: ToolCommand, given: readonly Given[], pairs: readonly Pair[]): string[] {
  const kept = tool === 'ab' ? given.slice(-1) : given;
  if (kept.length < given.length) draft.leftOut('-C', 'Of several cookies, ab sends only the last one.', 'So does the plan.');
  const instead = 'Holdfast does not read the file. Log in on the page Target, or enter the cookie itself.';
  for (const { option, value } of kept) if (!value.includes('=')) draft.leftOut(option, 'Cookies are in a file.', instead);
  const written = pairs.filter(([name]) => /^cookie$/i.test(name)).map(([, value]) => value);
  const named = kept.flatMap(({ value }) => (value.includes('=') ? [value] : []));
  if (written.length > 0 && named.length > 0 && tool === 'curl')
    draft.leftOut(kept[0]?.option ?? '', 'Both an option and a header set cookies.', 'As with curl, the header is used.');
  return tool === 'curl' && written.length > 0 ? written : [...named, ...written];
}
