import { readAddress, toldAddress } from '../address.ts';
import { methodOf, type Draft, type WrittenStep } from '../draft.ts';
import { literal } from '../literal.ts';
import { headersFrom, payloadFields, type Payload } from '../requestParts.ts';
import { secretFreePath } from '../secretFreePath.ts';
import type { ToolCommand } from '../shells/shellCommands.ts';
import { fillMarks, marksIn } from '../shells/shellText.ts';
import { headersOf } from './commandHeaders.ts';
import type { Parsed, Problem } from './parseOptions.ts';
import { wholeNumber } from './readValues.ts';
import type { Tool } from './tools.ts';

/** A request of a command, with its address. */
export interface CommandRequest {
  readonly origin: string;
  /** As it is sent, without a placeholder; null when the path of the step has to say it. */
  readonly url: string | null;
  readonly step: WrittenStep;
  /** The Cookie header as a text of the plan; null without. */
  readonly cookie: string | null;
}

/** The request of one address of a command; none where something is wrong with it, which is then among the problems. */
export function requestOf(
  draft: Draft,
  command: ToolCommand,
  tool: Tool,
  parsed: Parsed,
  payload: Payload,
  text: string,
  problems: Problem[],
): CommandRequest[] {
  const { fields } = parsed;
  const queried = withQuery(text, parsed);
  const address = readAddress(queried);
  if (address === null) {
    const mark = marksIn(text)[0];
    problems.push(
      mark === undefined
        ? {
            option: toldAddress(text),
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
