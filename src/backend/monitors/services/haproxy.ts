import type { MonitorOf } from '#core/plan/schema/monitors.ts';
import { HAPROXY_CATALOGUE, parseHaproxy } from '#core/machines/monitors/services/proxies.ts';
import { type MonitorWay, type OpenMonitor, asked, notSuch, unreachable } from '../source.ts';
import { askPage } from './httpServices.ts';
import { exchange } from './lineService.ts';

const HINT =
  'Enter the address of its page (`stats enable`, `stats uri /stats`) or of its socket (`stats socket /run/haproxy/admin.sock`).';

/** Reads the statistics of HAProxy from its page with `;csv`, or with `show stat` from its socket. */
export const openHaproxy: OpenMonitor<MonitorOf<'haproxy'>> = ({ address, user, password }, way) => {
  const ask = /^https?:/.test(address)
    ? () => askPage({ what: 'HAProxy', url: getCsv(address), way, headers: basic(way, user, password) })
    : () => askSocket(address, way);
  return asked(
    HAPROXY_CATALOGUE,
    async () => {
      const reading = parseHaproxy(await ask());
      if (reading === null) throw notSuch('the statistics of HAProxy', address, HINT);
      return reading;
    },
    { secrets: password === undefined ? [] : [way.secret(password)] },
  );
};

function getCsv(address: string): URL {
  const url = new URL(address);
  if (!url.pathname.endsWith(';csv')) url.pathname += ';csv';
  return url;
}

function basic(way: MonitorWay, user = '', password: MonitorOf<'haproxy'>['password'] = ''): Record<string, string> {
  const secret = way.secret(password);
  return user === '' && secret === '' ? {} : { authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}` };
}

async function askSocket(address: string, way: MonitorWay): Promise<string> {
  try {
    const stream = await way.connect(address);
    try {
      return (await exchange(stream, 'show stat\n', () => 'at the end')).toString('utf8');
    } finally {
      stream.destroy();
    }
  } catch (thrown) {
    throw unreachable('HAProxy', address, thrown);
  }
}
