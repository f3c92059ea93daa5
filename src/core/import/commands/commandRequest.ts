import { percentDecoded, readAddress, secretFreePath, toldAddress } from '../address.ts';
import { type Draft, methodOf, type WrittenStep } from '../draft.ts';
import { literal, unliteral } from '../placeholders.ts';
import { headersFrom, payloadFields } from '../requestParts.ts';
import type { ToolCommand } from '../shells/shellCommands.ts';
import { fillMarks, marksIn, withNames } from '../shells/shellText.ts';
import { bodyOf, encodedPiece, joinedData, PART_WAS_LEFT_OUT } from './commandBody.ts';
import { basicAuthorization, headersOf } from './commandHeaders.ts';
import { withData, withUploadName } from './curlAddresses.ts';
import { type Parsed, type Problem, wholeNumber, NO_ADDRESS } from './parseOptions.ts';
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
  const { fields } = parsed;
  const written = text.trim();
  const asked = withQuery(draft, command.tool === 'curl' ? withUploadName(written, parsed) : written, parsed, command.input);
  if (/[\t\r\n]/.test(asked)) {
    problems.push({
      option: toldAddress(withNames(text)),
      message: 'The address, or what is appended to it, contains a line break or a tab.',
      hint: 'curl refuses it too. Write %0A for a line break, %09 for a tab.',
    });
    return [];
  }
  // An encoded space at the end of the data is kept.
  const address = readAddress(asked.replaceAll(' ', '%20'));
  if (address === null) {
    const mark = marksIn(text)[0];
    problems.push(
      mark === undefined
        ? {
            option: toldAddress(withNames(text)),
            message: NO_ADDRESS,
            hint: 'It may be the value of an unknown option, or longer than 2,048 characters.',
          }
        : {
            option: `$${mark}`,
            message: 'The server is in a shell variable.',
            hint: `Replace “${toldAddress(withNames(text))}” with the address itself.`,
          },
    );
    return [];
  }
  const named = fields.get('method')?.at(-1);
  const method = named === undefined ? usualMethod(parsed) : methodOf(named.value);
  if (method === null) {
    problems.push({
      option: `${named?.option ?? ''} ${withNames(named?.value ?? '').slice(0, 20)}`,
      message: 'Plans do not support this method.',
      hint: 'They support GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS.',
    });
    return [];
  }
  if (named !== undefined && named.value !== method)
    draft.changed(named.option, `The method is written ${named.value.slice(0, 20)}.`, `${method} is sent.`);
  tellOfPath(draft, asked, address.path);
  const path = fillMarks(secretFreePath(draft, address.path, 'address'));
  const login =
    address.login === null || !sendsLogin
      ? null
      : headersFrom(draft, [['Authorization', fillMarks(literal(basicAuthorization(draft, address.login, 'address')))]], 'header');
  const follows = mostRedirects(tool, parsed, problems);
  const expected = fields.get('expectBody')?.at(-1)?.value ?? '';
  if (expected !== '') noteWholeBody(draft, '-E');
  const step: WrittenStep = {
    name: 'page',
    ...(method === 'GET' ? {} : { method }),
    path,
    ...carried,
    ...(login === null ? {} : { headers: { ...carried.headers, ...login } }),
    ...(expected === '' ? {} : { checks: [{ kind: 'contains' as const, text: fillMarks(literal(expected.slice(0, 10_000))) }] }),
    ...(follows === 0 ? {} : { redirects: { follow: true as const, most: follows, mayEndAtLogin: true } }),
  };
  const isPlain = path === address.path && !path.includes('{{');
  return [
    {
      origin: address.origin,
      url: isPlain ? `${address.origin}${path}` : null,
      step,
      cookie,
    },
  ];
}

/** Reports a path that is normalized as in browsers: `/a/../b` is shortened, a backslash becomes a slash, and other characters are encoded. */
function tellOfPath(draft: Draft, asked: string, path: string): void {
  const [bare = ''] = asked.split('#', 1);
  if (/\s/.test(bare)) draft.changed('address', 'The address contains a space, which curl refuses.', 'It is sent as %20.');
  const written = bare.replace(/^[a-z][a-z\d+.-]*:\/*/i, '').replace(/^[^/?]*/, '');
  const isSame = (one: string): string => percentDecoded(one.replace(/^(?=\?|$)/, '/'));
  if (isSame(written) !== isSame(unliteral(path)))
    draft.changed(
      'address',
      `The path is written ${withNames(written).split('?', 1)[0]?.slice(0, 60) ?? ''}.`,
      'It is sent as browsers send it.',
    );
}

/** Appends the data of -G to the address, or else that of --url-query, as curl does. */
function withQuery(draft: Draft, text: string, { fields, switches, bodies }: Parsed, input: ToolCommand['input']): string {
  const given = fields.get('queryEncoded') ?? [];
  if (switches.has('dataInQuery')) {
    for (const { option } of bodies.length === 0 ? [] : given)
      draft.leftOut(option, 'As with -G in curl, only its data is appended to the address.');
    const data = joinedData(draft, bodies, input);
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

function usualMethod({ fields, switches, bodies }: Parsed): 'GET' | 'HEAD' | 'POST' | 'PUT' {
  if (switches.has('head')) return 'HEAD';
  if (fields.has('putFile')) return 'PUT';
  if (fields.has('postFile')) return 'POST';
  // With -G, multipart fields are still a body.
  const isSent = ({ field }: Parsed['bodies'][number]): boolean => field === 'part' || field === 'partText' || !switches.has('dataInQuery');
  return bodies.some(isSent) ? 'POST' : 'GET';
}

function mostRedirects(tool: Tool, { fields, switches }: Parsed, problems: Problem[]): number {
  if (switches.has('noFollow')) return 0;
  const given = fields.get('mostRedirects')?.at(-1);
  const isAsked = switches.has('follow');
  if (tool.follows === 0 && !isAsked) return 0;
  if (given === undefined) return tool.follows === 0 ? 50 : tool.follows;
  const most = given.value === '-1' ? 50 : wholeNumber(given.value);
  if (most === null) problems.push({ option: given.option, message: 'This is not a number of redirects.', hint: WRITE_WHOLE_NUMBER });
  return Math.min(50, most ?? 0);
}
