import { basicLogin } from '../address.ts';
import type { Draft } from '../draft.ts';
import { literal } from '../literal.ts';
import type { Payload } from '../requestParts.ts';
import type { ToolCommand } from '../shells/shellCommands.ts';
import { fillMarks } from '../shells/shellText.ts';
import type { Parsed } from './parseOptions.ts';
import type { Tool } from './tools.ts';

/** The headers of a command as texts of the plan, and its Cookie header apart; `login` is what stands in the address, null without. */
export function headersOf(
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
