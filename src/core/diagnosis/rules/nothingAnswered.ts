import { formatCount } from '#core/units.ts';
import { answered, type Rule } from '../rule.ts';

interface Cause {
  readonly sentence: string;
  readonly remedy: string;
}

const CAUSES: Readonly<Record<string, Cause>> = {
  ECONNREFUSED: {
    sentence: 'Nothing listens at that address: every connection was refused.',
    remedy: 'Start the server, or correct host and port. From another machine also look at its firewall.',
  },
  ENOTFOUND: {
    sentence: 'The name of the server does not exist.',
    remedy: 'Check the spelling of the host in the address, and that this machine’s DNS knows it.',
  },
  EAI_AGAIN: {
    sentence: 'The name of the server could not be looked up.',
    remedy: 'The DNS server did not answer. Check this machine’s network, or use the IP address.',
  },
  ECONNRESET: {
    sentence: 'The server accepts connections and breaks every one of them.',
    remedy: 'Often https is expected and http was used (or the other way round). Look into the server’s log.',
  },
  ETIMEDOUT: {
    sentence: 'No connection came about in time.',
    remedy: 'A firewall that drops packets looks like this. Try the address in a browser on this machine.',
  },
};

const OTHER: Cause = { sentence: 'Not one request was answered.', remedy: 'Send one request on the Target page: its answer says more.' };

/** Not a single answer: the cause is the address, not the load. */
export const nothingAnswered: Rule = {
  id: 'nothingAnswered',
  find({ ledger, errors }) {
    const { requests } = ledger;
    if (requests.sent === 0 || answered(requests) > 0) return [];
    const [name = '', count = 0] = Object.entries(errors).sort(([, some], [, others]) => others - some)[0] ?? [];
    const code = name.split('@')[0] ?? '';
    const cause = (Object.hasOwn(CAUSES, code) ? CAUSES[code] : undefined) ?? OTHER;
    const evidence = [`${formatCount(requests.sent)} requests sent, none answered`];
    if (count > 0) evidence.push(`${name.replace('@', ' while in phase ')}: ${formatCount(count)} times`);
    return [
      { id: this.id, level: 'problem', sentence: cause.sentence, evidence, remedy: cause.remedy, confidence: 'certain', range: null },
    ];
  },
};
