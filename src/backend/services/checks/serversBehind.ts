import { getOwn } from '#core/base/ownMembers.ts';
import { singleRequest } from '../targets/singleRequest.ts';
import type { Check } from './check.ts';

/** The header value of each response, or null. */
export interface Spread {
  readonly said: readonly (string | null)[];
  readonly header: string;
  readonly expected: number;
}

const MIN_REQUESTS = 4;
const MAX_REQUESTS = 16;
const LIMIT_MS = 3_000;

/**
 * Finds which of several servers behind one address respond to this computer, with some requests for the start page over separate
 * connections. Only for plans that name the header and expect several servers.
 */
export const serversBehind: Check<Spread> = {
  id: 'serversBehind',
  about: 'Servers behind the address',
  appliesTo: ({ plan, isAgreed }) =>
    isAgreed && plan.servers?.header !== undefined && (plan.servers.expected ?? 1) > 1 && plan.targets.length === 1,
  async probe({ plan, clientCertificate: own }) {
    const [target] = plan.targets;
    const { servers, tls, connections } = plan;
    const header = servers?.header;
    if (target === undefined || header === undefined) return { unknown: 'There is no address.' };
    const expected = servers?.expected ?? 1;
    const clientCertificate = own.kind === 'usable' ? own.certificate : null;
    const ask = async (): Promise<string | null> => {
      const { headers } = await singleRequest({
        url: new URL(target.url),
        method: 'GET',
        headers: { Connection: 'close' },
        connection: { tls, connections, clientCertificate },
        demandsTrust: false,
        timeoutMs: LIMIT_MS,
      });
      const value = getOwn(headers, header.toLowerCase());
      return typeof value === 'string' ? value : (value?.[0] ?? null);
    };
    const times = Math.min(MAX_REQUESTS, Math.max(MIN_REQUESTS, 2 * expected));
    return { said: await Promise.all(Array.from({ length: times }, ask)), header, expected };
  },
  judge({ said, header, expected }) {
    const names = [...new Set(said.filter((name) => name !== null))];
    const evidence = names.length === 0 ? `${said.length} responses without ${header}.` : `${said.length} responses: ${names.join(', ')}.`;
    if (names.length === 0)
      return {
        level: 'info',
        title: 'Responses do not name their server',
        evidence,
        matters: 'Whether the servers share the load remains unknown.',
        remedy: {
          text: `Let the proxy add the header ${header}, for nginx in the server block:`,
          command: `add_header ${header} $upstream_addr always;`,
          undo: null,
          risk: '',
        },
      };
    if (names.length === 1)
      return {
        level: 'problem',
        title: `All ${said.length} responses came from one of ${expected} servers`,
        evidence,
        matters:
          'The proxy chooses the server by the address of the visitor. All load from this computer would reach one of them: the run would measure a single server.',
        remedy: {
          text: 'For the test, let nginx use the servers in turn: leave “hash $remote_addr” or “ip_hash” out of the upstream block. Or enter every server as a target, or send the load from several addresses.',
          command: null,
          undo: null,
          risk: 'CMS keeps notifications in the memory of each server: with servers used in turn, a participant may see one twice or late.',
        },
      };
    return {
      level: 'ok',
      title: `${names.length} of ${expected} servers responded to this computer`,
      evidence,
      matters: 'The servers will share the load.',
      remedy: null,
    };
  },
};
