import { displayedAddress, percentDecoded, readAddress, secretFreePath } from '../address.ts';
import { type Draft, methodOf, type WrittenStep } from '../draft.ts';
import { literal, unliteral } from '../placeholders.ts';
import { headersFrom, payloadFields } from '../requestParts.ts';
import type { ToolCommand } from '../shells/shellCommands.ts';
import { fillMarks, marksIn, withNames } from '../shells/shellText.ts';
import { bodyOf, encodedPiece, joinedData, PART_WAS_LEFT_OUT } from './commandBody.ts';
import { basicAuthorization, headersOf } from './commandHeaders.ts';
import { withData, withUploadName } from './curlAddresses.ts';
import { wholeNumber } from './amounts.ts';
import { NO_ADDRESS, type Parsed, type Problem } from './parseOptions.ts';
import type { Tool } from './tools.ts';
import { noteWholeBody } from '../notes.ts';
import { WRITE_WHOLE_NUMBER } from '#core/base/units.ts';

/** Headers and body that all requests of a command share. Computed once, because a command may have many addresses. */
export interface Carried {
  /** The Cookie header as a text of the plan; null if there is none. */
  readonly cookie: string | null;
  /** Whether a login in an address is sent. */
  readonly sendsLogin: boolean;
  readonly fields: Partial<WrittenStep>;
}

export function carriedOf(draft: Draft, command: ToolCommand, parsed: Parsed): Carried {
  const body = bodyOf(draft, command, parsed);
  const { pairs, cookie, sendsLogin } = headersOf(draft, command, parsed, body);
  const headers = headersFrom(draft, pairs, 'header');
  const { headers: more, ...sent } = payloadFields(draft, body.payload, 'body');
  return { cookie, sendsLogin, fields: { headers: { ...headers, ...more }, ...sent } };
}

/** A request of a command. */
export interface CommandRequest {
  readonly origin: string;
  /** The address without placeholders; null if the path of the step contains placeholders. */
  readonly url: string | null;
  readonly step: WrittenStep;
  /** The Cookie header as a text of the plan; null if there is none. */
  readonly cookie: string | null;
}

/** Returns the request for one address of a command. On an error, adds a problem and returns nothing. */
export function requestOf(
  draft: Draft,
  command: ToolCommand,
  tool: Tool,
  parsed: Parsed,
  { cookie, sendsLogin, fields: carried }: Carried,
  text: string,
  problems: Problem[],
): CommandRequest[] {
  const refuse = (option: string, message: string, hint: string): [] => {
    problems.push({ option, message, hint });
    return [];
  };
  const written = text.trim();
  const asked = withQuery(draft, command.tool === 'curl' ? withUploadName(written, parsed) : written, parsed, command.input);
  const shown = displayedAddress(withNames(text));
  if (/[\t\r\n]/.test(asked)) {
    const hint = 'curl refuses it too. Write %0A for a line break, %09 for a tab.';
    return refuse(shown, 'The address, or what is appended to it, contains a line break or a tab.', hint);
  }
  // An encoded space at the end of the data is kept.
  const address = readAddress(asked.replaceAll(' ', '%20'));
  const [mark] = marksIn(text);
  if (address === null && mark !== undefined)
    return refuse(`$${mark}`, 'The server is in a shell variable.', `Replace “${shown}” with the address itself.`);
  if (address === null) return refuse(shown, NO_ADDRESS, 'It may be the value of an unknown option, or longer than 2,048 characters.');
  const named = parsed.last('method');
  const method = named === undefined ? usualMethod(parsed) : methodOf(named.value);
  if (method === null) {
    const hint = 'They support GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS.';
    return refuse(`${named?.option ?? ''} ${withNames(named?.value ?? '').slice(0, 20)}`, 'Plans do not support this method.', hint);
  }
  if (named !== undefined && named.value !== method)
    draft.changed(named.option, `The method is written ${named.value.slice(0, 20)}.`, `${method} is sent.`);
  noteChangedPath(draft, asked, address.path);
  const path = fillMarks(secretFreePath(draft, address.path, 'address'));
  const login = sendsLogin && address.login !== null ? fillMarks(literal(basicAuthorization(draft, address.login, 'address'))) : null;
  const headers = login === null ? carried.headers : { ...carried.headers, ...headersFrom(draft, [['Authorization', login]], 'header') };
  const follows = mostRedirects(tool, parsed, problems);
  const expected = parsed.value('expectBody') ?? '';
  if (expected !== '') noteWholeBody(draft, '-E');
  const step: WrittenStep = {
    name: 'page',
    ...(method === 'GET' ? {} : { method }),
    path,
    ...carried,
    ...(headers === undefined ? {} : { headers }),
    ...(expected === '' ? {} : { checks: [{ kind: 'contains' as const, text: fillMarks(literal(expected.slice(0, 10_000))) }] }),
    ...(follows === 0 ? {} : { redirects: { follow: true as const, most: follows, mayEndAtLogin: true } }),
  };
  const isPlain = path === address.path && !path.includes('{{');
  return [{ origin: address.origin, url: isPlain ? `${address.origin}${path}` : null, step, cookie }];
}

/** Notes a path that is normalized as in browsers: `/a/../b` is shortened, a backslash becomes a slash, and other characters are encoded. */
function noteChangedPath(draft: Draft, asked: string, path: string): void {
  const [bare = ''] = asked.split('#', 1);
  if (/\s/.test(bare)) draft.changed('address', 'The address contains a space, which curl refuses.', 'It is sent as %20.');
  const written = bare.replace(/^[a-z][a-z\d+.-]*:\/*/i, '').replace(/^[^/?]*/, '');
  const compared = (one: string): string => percentDecoded(one.replace(/^(?=\?|$)/, '/'));
  if (compared(written) === compared(unliteral(path))) return;
  const [shown = ''] = withNames(written).split('?', 1);
  draft.changed('address', `The path is written ${shown.slice(0, 60)}.`, 'It is sent as browsers send it.');
}

/** Appends the data of -G to the address, or else that of --url-query, as curl does. */
function withQuery(draft: Draft, text: string, parsed: Parsed, input: ToolCommand['input']): string {
  const given = parsed.all('queryEncoded');
  if (parsed.has('dataInQuery')) {
    for (const { option } of parsed.bodies.length === 0 ? [] : given)
      draft.leftOut(option, 'As with -G in curl, only its data is appended to the address.');
    const data = joinedData(draft, parsed.bodies, input);
    if (data !== null && data.file !== null) draft.leftOut('-G', 'Part of the address is in a file.');
    if (data !== null) return withData(text, data.text);
  }
  const query = given.flatMap(({ option, value }) => {
    if (value.startsWith('+')) return [value.slice(1)];
    const piece = encodedPiece(value, input);
    if (piece.kind === 'text') return [piece.text];
    draft.leftOut(option, 'Part of the address is in a file or on standard input.', PART_WAS_LEFT_OUT);
    return [];
  });
  return query.length === 0 ? text : withData(text, query.join('&'));
}

function usualMethod(parsed: Parsed): 'GET' | 'HEAD' | 'POST' | 'PUT' {
  if (parsed.has('head')) return 'HEAD';
  if (parsed.fields.has('putFile')) return 'PUT';
  if (parsed.fields.has('postFile')) return 'POST';
  // With -G, multipart fields are still a body.
  return parsed.bodies.some(({ field }) => field.startsWith('part') || !parsed.has('dataInQuery')) ? 'POST' : 'GET';
}

function mostRedirects(tool: Tool, parsed: Parsed, problems: Problem[]): number {
  if (parsed.has('noFollow') || (tool.follows === 0 && !parsed.has('follow'))) return 0;
  const given = parsed.last('mostRedirects');
  if (given === undefined) return tool.follows === 0 ? 50 : tool.follows;
  const most = given.value === '-1' ? 50 : wholeNumber(given.value);
  if (most === null) problems.push({ option: given.option, message: 'This is not a number of redirects.', hint: WRITE_WHOLE_NUMBER });
  return Math.min(50, most ?? 0);
}
