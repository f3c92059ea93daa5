import { MAX_STEPS } from '#core/plan/schema/plan.ts';
import { importListed } from '../commands/importCommand.ts';
import { Draft } from '../draft.ts';
import { type ImportResult, refuse } from '../imported.ts';
import type { Source } from '../source.ts';
import { type AddressList, type ListedRequest, parseAddressList, parseJsonTargets, readSitemap } from './addressList.ts';

const MAX_NAMED_LINES = 5;
/** Maximum number of redirects that siege and vegeta follow. */
const MAX_REDIRECTS = '10';

/** Returns the requests of a list of addresses; null for other texts. */
export function findAddressList({ isXml, xml, isDocument, trimmed }: Source): AddressList | null {
  if (isXml) return xml?.name === 'urlset' ? readSitemap(xml) : null;
  return isDocument ? parseJsonTargets(trimmed) : parseAddressList(trimmed);
}

/** Returns whether a text is a list of addresses. A single target of vegeta is read as a file of HTTP requests (.http) instead. */
export function isAddressList(source: Source): boolean {
  // A text without white space can only be a single address.
  const list = /\s/.test(source.trimmed) ? findAddressList(source) : null;
  if (list === null) return false;
  const { requests, otherLines } = list;
  const isOneTarget = requests.length === 1 && requests[0]?.tool === 'vegeta' && requests[0].body === null && !source.isDocument;
  return !isOneTarget && (otherLines.length === 0 || (otherLines.length < requests.length && source.commands.length === 0));
}

/** Makes a plan that requests each address of a list in turn: siege’s list, vegeta’s targets, or a sitemap. */
export function importAddressList(source: Source): ImportResult {
  const { requests = [], otherLines = [] } = findAddressList(source) ?? {};
  if (otherLines.length > 0) {
    const named = otherLines.slice(0, MAX_NAMED_LINES).join(', ');
    const more = otherLines.length > MAX_NAMED_LINES ? ` and ${otherLines.length - MAX_NAMED_LINES} more` : '';
    const lines = otherLines.length === 1 ? `line ${named} is` : `lines ${named}${more} are`;
    const hint = 'Enter one address that begins with http:// or https:// on each line, or begin a comment with #.';
    return refuse('LIST_UNREADABLE', '', `This is a list of addresses, but ${lines} not.`, hint);
  }
  const draft = new Draft('urls');
  if (requests.length > MAX_STEPS)
    draft.noteLeftOut(
      'list',
      `It has ${requests.length} addresses. A journey has at most ${MAX_STEPS} steps.`,
      `The plan requests the first ${MAX_STEPS}. To request all of them, make their paths a feed of the plan.`,
    );
  return importListed(draft, requests.slice(0, MAX_STEPS).map(toCurlWords));
}

/** Returns the words of the curl command that sends a request of a list. */
function toCurlWords({ url, method, headers, body, tool }: ListedRequest): string[] {
  const hasType = headers.some((header) => /^content-type\s*:/i.test(header));
  return [
    '--globoff',
    '--url',
    url,
    ...(method === 'GET' && body === null ? [] : ['-X', method]),
    ...headers.flatMap((header) => ['-H', header]),
    ...(body === null ? [] : body.kind === 'file' ? ['--data-binary', `@${body.text}`] : ['--data-raw', body.text]),
    // curl would add the type of a form, and vegeta adds none.
    ...(body === null || hasType || tool !== 'vegeta' ? [] : ['-H', 'Content-Type:']),
    ...(tool !== null ? ['-L', '--max-redirs', MAX_REDIRECTS] : []),
  ];
}
