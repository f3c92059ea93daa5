import { formatCount } from '#core/base/units.ts';
import { numberIn, settingFile, settingRemedy, showFiles, shownFiles, type HostCheck } from './hostCheck.ts';
import { TIME_WAIT_SECONDS } from './portStall.ts';

interface Tracking {
  readonly count: number;
  readonly most: number;
}

const MAX_SETTING = 'net.netfilter.nf_conntrack_max';
const COUNT = settingFile('net.netfilter.nf_conntrack_count');
/** nf_conntrack_tcp_timeout_time_wait: the firewall keeps a closed connection twice as long as TCP does. */
const CLOSED_KEPT_SECONDS = 2 * TIME_WAIT_SECONDS;
const COMFORTABLE_SHARE = 0.8;

/** Checks whether the connection table of a stateful firewall is nearly full. */
export const connectionTracking: HostCheck<Tracking | 'off'> = {
  id: 'connectionTracking',
  about: 'Firewall connection tracking',
  probe: [`uname -s; ${showFiles(COUNT, settingFile(MAX_SETTING))}`],
  read([text = '']) {
    const shown = shownFiles(text);
    const [count, most] = [numberIn(shown.get(COUNT)), numberIn(shown.get(settingFile(MAX_SETTING)))];
    return count === null || most === null ? (text.startsWith('Linux') ? 'off' : null) : { count, most };
  },
  judge(tracking, { load }) {
    if (tracking === 'off')
      return {
        level: 'ok',
        title: 'No connection tracking',
        evidence: 'nf_conntrack is not loaded.',
        matters: 'There is no firewall table that could fill up.',
      };
    const { count, most } = tracking;
    const rate = load === null || load.keepsConnections ? 0 : (load.requestsPerSecond ?? 0);
    const wanted = Math.ceil(count + (load?.connections ?? 0) + rate * Math.min(CLOSED_KEPT_SECONDS, load?.seconds ?? CLOSED_KEPT_SECONDS));
    const share = wanted / most;
    return {
      level: share > 1 ? 'problem' : share > COMFORTABLE_SHARE ? 'warning' : 'ok',
      title: `The firewall tracks ${formatCount(count)} of at most ${formatCount(most)} connections`,
      evidence: `${COUNT}: ${count}; ${MAX_SETTING}: ${most}`,
      matters: `This plan may need ${formatCount(wanted)}. When the table is full, packets are dropped and connections hang without an error.`,
    };
  },
  explain:
    'Docker and most firewalls enable it. It keeps a closed connection for two minutes. A load without keep-alive fills the table long before ports run out. The kernel logs “table full, dropping packet”.',
  remedy: (tracking) =>
    tracking === 'off'
      ? null
      : settingRemedy(
          MAX_SETTING,
          String(tracking.most),
          String(tracking.most * 4),
          'Enlarge the table.',
          'About 320 bytes of memory per connection.',
        ),
};
